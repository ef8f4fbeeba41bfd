// What the pages of serve can do beyond links and forms: search while a query is typed,
// finish its words, follow the index, keys, copies, colours. Texts of handoffs only ever
// become text.
"use strict";

const box = document.getElementById("q");
const list = document.getElementById("candidates");
const live = document.getElementById("live");
let generation = document.body.dataset.generation;

const region = () => document.querySelector("[data-live]");

async function load(address, options) {
  const response = await fetch(address, options);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// swap puts the part of another page that can change in the place of this page's. What
// is unfolded stays so, and the focus stays on its link.
function swap(page) {
  const old = region();
  const fresh = page.querySelector("[data-live]");
  generation = page.body.dataset.generation; // a report can be of an older state
  if (!old || !fresh) return false;
  for (const open of old.querySelectorAll("details[open][id]")) {
    const same = fresh.querySelector("#" + CSS.escape(open.id));
    if (same) same.open = true;
  }
  if (fresh.innerHTML === old.innerHTML) return false;
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(document.adoptNode(fresh));
  if (focused) document.querySelector(`[data-live] a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  return true;
}

// say has a text read out; it is seen as well unless it is quiet.
function say(text, quiet) {
  live.classList.toggle("hidden", Boolean(quiet));
  live.textContent = text;
  if (!quiet) setTimeout(() => { live.textContent = ""; }, 4000);
}

// Hits while a query is typed; what they can be narrowed by takes longer to count and
// follows. A query that is wrong is often not typed to its end, so that its errors wait.
const searches = document.querySelector('form.search[action="/"]') && region();
let timer = 0;
let running = new AbortController();

function soon(delay, task) {
  clearTimeout(timer);
  timer = setTimeout(task, delay);
}

async function search(typing) {
  running.abort();
  running = new AbortController();
  const text = box.value.trim();
  const address = "/?q=" + encodeURIComponent(text);
  let page;
  try {
    page = await load(address + (typing ? "&typing=1" : ""), { signal: running.signal });
  } catch {
    return; // there is a later one, or the server is gone
  }
  const wrong = page.querySelector(".fault");
  const show = () => {
    const [old, bare] = [document, page].map((p) => p.getElementById("filters"));
    if (typing && old && bare) bare.replaceWith(old);
    history.replaceState(null, "", address);
    document.title = page.title;
    if (wrong) box.setAttribute("aria-invalid", "true");
    else box.removeAttribute("aria-invalid");
    swap(page);
    say(document.querySelector(".total, .fault p")?.textContent ?? "", true);
    if (typing && !wrong) soon(300, search);
  };
  if (typing && wrong) soon(500, show);
  else show();
}

if (searches) {
  box.addEventListener("input", () => {
    running.abort();
    soon(20, () => search(true));
  });
}

// Completion of the word before the cursor.
let shown = [];
let at = -1;
let asked = 0;
let shownFor = ""; // the text before the cursor when the candidates were requested
let wanted = false; // the first is to be taken as soon as it is known

if (box && list) {
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("aria-controls", "candidates");
  box.addEventListener("input", complete);
  box.addEventListener("keydown", choose);
  box.addEventListener("blur", hide);
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("li");
    event.preventDefault();
    if (item) take(Number(item.dataset.at));
  });
}

async function complete() {
  const before = box.value.slice(0, box.selectionStart);
  const mine = ++asked;
  if (box.value.length !== before.length && !/^\s/.test(box.value.slice(before.length))) return hide();
  let answer;
  try {
    const response = await fetch("/complete?q=" + encodeURIComponent(before));
    if (!response.ok) return hide();
    answer = await response.json();
  } catch {
    return hide();
  }
  if (mine !== asked || document.activeElement !== box) return;
  shown = answer.candidates;
  shownFor = before;
  if (shown.length === 0) return hide();
  at = -1;
  list.replaceChildren(...shown.map(option));
  list.hidden = false;
  box.setAttribute("aria-expanded", "true");
  mark();
  if (wanted) take(0);
}

function option(candidate, i) {
  const item = document.createElement("li");
  item.id = "candidate-" + i;
  item.dataset.at = i;
  item.setAttribute("role", "option");
  item.append(candidate.text);
  if (candidate.doc) {
    const doc = document.createElement("span");
    doc.textContent = candidate.doc;
    item.append(doc);
  }
  return item;
}

function mark() {
  [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
  if (at < 0) return box.removeAttribute("aria-activedescendant");
  box.setAttribute("aria-activedescendant", "candidate-" + at);
  list.children[at].scrollIntoView({ block: "nearest" });
}

function choose(event) {
  if (list.hidden) return;
  const stale = shownFor !== box.value.slice(0, box.selectionStart);
  if (stale && event.key === "Tab" && !event.shiftKey) {
    event.preventDefault();
    wanted = true;
    return;
  }
  if (stale && event.key === "Enter") return hide();
  const last = shown.length - 1;
  switch (event.key) {
    case "ArrowDown": at = at >= last ? 0 : at + 1; break;
    case "ArrowUp": at = at <= 0 ? last : at - 1; break;
    case "Escape": event.preventDefault(); event.stopPropagation(); return hide();
    case "Tab":
      if (event.shiftKey) return;
      event.preventDefault();
      return take(Math.max(at, 0));
    case "Enter":
      if (at < 0) return hide();
      event.preventDefault();
      return take(at);
    default: return;
  }
  event.preventDefault();
  mark();
}

// take puts a candidate in the place of the last word before the cursor.
function take(i) {
  const candidate = shown[i];
  const rest = box.value.slice(box.selectionStart);
  const space = /[:=,.]$/.test(candidate.text) ? "" : " ";
  const text = candidate.before + candidate.text + space;
  box.value = text + rest.replace(/^\s/, "");
  box.setSelectionRange(text.length, text.length);
  hide();
  if (!space) complete();
  else if (searches) soon(0, search);
}

function hide() {
  asked++;
  wanted = false;
  shown = [];
  if (!list) return;
  list.hidden = true;
  box.setAttribute("aria-expanded", "false");
  box.removeAttribute("aria-activedescendant");
}

// Keys. Those of one letter can be turned off.
const useKeys = document.getElementById("use-keys");
if (useKeys) {
  useKeys.checked = localStorage.getItem("handex-keys") !== "off";
  useKeys.addEventListener("change", () => localStorage.setItem("handex-keys", useKeys.checked ? "on" : "off"));
}

// step moves the focus to the next hit or the one before; without hits it goes to the
// handoff beside this one.
function step(by) {
  const hits = [...document.querySelectorAll(".hitlist h2 a, .items .said a")];
  if (hits.length === 0) return document.querySelector(by > 0 ? ".older" : ".newer")?.click();
  const now = hits.indexOf(document.activeElement);
  const hit = hits[Math.min(Math.max(now + by, 0), hits.length - 1)];
  hit.focus();
  hit.scrollIntoView({ block: "nearest" });
}

const keys = {
  "/": () => { box?.focus(); box?.select(); },
  j: () => step(1),
  k: () => step(-1),
  "?": () => document.getElementById("keys")?.togglePopover(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (document.activeElement === box) event.preventDefault(); // keeps what is typed
    return document.activeElement.blur();
  }
  const typing = event.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select");
  if (typing || !useKeys?.checked || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

// Copies. Where the browser does not let a page copy there are no buttons.
if (!navigator.clipboard) document.documentElement.classList.add("no-copies");

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  say("Copied: " + button.dataset.copy);
});

// An acknowledgement updates the page in place.
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("form.ack")) return;
  event.preventDefault();
  const form = event.target;
  const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok || !swap(page)) return location.assign(response.url);
  say("Saved.");
});

for (const theme of document.querySelectorAll(".theme input")) {
  theme.addEventListener("change", () => {
    document.cookie = `handex-theme=${theme.value}; path=/; max-age=31536000; samesite=strict`;
  });
}

// The page asks now and then whether the index has changed, and takes what can change
// from the server again, unless somebody is using it.
async function follow() {
  const busy = document.activeElement.matches("[data-live] input") || document.querySelector(".drawer:popover-open");
  if (document.hidden || busy) return;
  try {
    const response = await fetch("/generation");
    if (!response.ok || (await response.text()).trim() === generation) return;
    if (swap(await load(location.href))) say("Updated just now.");
  } catch {
    // The server is gone, or will answer the next time.
  }
}

setInterval(follow, 2000);
