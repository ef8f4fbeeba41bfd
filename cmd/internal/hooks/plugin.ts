// handex: written by `handex hooks install opencode`, which overwrites edits.
// It gives each session a briefing on what earlier sessions left.
import { execFile } from "node:child_process"

const program = "handex"

// brief returns "" if anything goes wrong, so that it never stops a session.
const brief = (directory) =>
  new Promise((resolve) => {
    const options = { cwd: directory, timeout: 5000, windowsHide: true }
    const done = (error, stdout) => resolve(error ? "" : stdout.trim())
    execFile(program, ["brief", "--for", "opencode", directory], options, done).stdin?.end()
  })

export const Handex = async ({ client, directory }) => {
  const briefings = new Map()

  // A session that another session started is that of a helper.
  const isHelper = async (id) => {
    try {
      return Boolean((await client.session.get({ path: { id } })).data?.parentID)
    } catch {
      return false
    }
  }

  // A session gets the same text in each request, so that its prompt cache stays valid.
  const briefing = (id) => {
    if (!briefings.has(id)) {
      briefings.set(id, isHelper(id).then((helper) => (helper ? "" : brief(directory))))
    }
    return briefings.get(id)
  }

  return {
    "experimental.chat.system.transform": async (input, output) => {
      // The request that generates a title needs no briefing.
      if (!input.sessionID || output.system.some((text) => text.includes("title generator"))) return
      const text = await briefing(input.sessionID)
      if (text) output.system.push(text)
    },
    // After a compaction, the session gets a new briefing.
    "experimental.session.compacting": async (input) => {
      briefings.delete(input.sessionID)
    },
    event: async ({ event }) => {
      if (event.type === "session.deleted") briefings.delete(event.properties?.info?.id)
    },
  }
}
