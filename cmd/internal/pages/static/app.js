// What the pages of serve can do beyond links and forms: finish words of a query,
// follow the index, remember the colours. Texts of handoffs only ever become text.
"use strict";

const box = document.getElementById("q");
const list = document.getElementById("candidates");
let shown = [];
let at = -1;
let asked = 0;
let shownFor = ""; // what stood before the cursor when the candidates were asked for
let wanted = false; // the first is to be taken as soon as it is known

for (const theme of document.querySelectorAll(".theme input")) {
  theme.addEventListener("change", () => {
    document.cookie = `handex-theme=${theme.value}; path=/; max-age=31536000; samesite=strict`;
  });
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && box && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    box.focus();
    box.select();
  }
});

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
    case "Escape": event.preventDefault(); return hide();
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

// The page asks now and then whether the index has changed, and takes what can
// change from itself anew.
const live = document.getElementById("live");
let generation = document.body.dataset.generation;

async function follow() {
  if (document.hidden) return;
  try {
    const response = await fetch("/generation");
    if (!response.ok) return;
    const now = (await response.text()).trim();
    if (now !== generation) await renew(now);
  } catch {
    // The server is gone, or will answer the next time.
  }
}

async function renew(now) {
  const old = document.querySelector("[data-live]");
  if (!old) {
    generation = now;
    live.textContent = "The index has changed since this page was made.";
    return;
  }
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // A report can be of an older state and follow the next time.
  generation = page.body.dataset.generation;
  const fresh = page.querySelector("[data-live]");
  if (!fresh || fresh.innerHTML === old.innerHTML) return;
  old.replaceWith(document.adoptNode(fresh));
  live.textContent = "Updated just now.";
  setTimeout(() => { live.textContent = ""; }, 4000);
}

setInterval(follow, 2000);
