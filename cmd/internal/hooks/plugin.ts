// handex: made, and renewed, by `handex hooks install opencode`. Edits are lost.
// It has each session told what the sessions before it left.
import { execFile } from "node:child_process"

const program = "handex"

// brief answers "" if anything goes wrong: a session is never held up.
const brief = (directory) =>
  new Promise((resolve) => {
    const options = { cwd: directory, timeout: 5000, windowsHide: true }
    const done = (error, stdout) => resolve(error ? "" : stdout.trim())
    execFile(program, ["brief", "--for", "opencode", directory], options, done).stdin?.end()
  })

export const Handex = async ({ client, directory }) => {
  const told = new Map()

  // A session that another one began is a helper's.
  const isHelper = async (id) => {
    try {
      return Boolean((await client.session.get({ path: { id } })).data?.parentID)
    } catch {
      return false
    }
  }

  // A session is told the same in each request, as its cache holds by that.
  const briefing = (id) => {
    if (!told.has(id)) {
      told.set(id, isHelper(id).then((helper) => (helper ? "" : brief(directory))))
    }
    return told.get(id)
  }

  return {
    "experimental.chat.system.transform": async (input, output) => {
      // The request that only names a session needs none.
      if (!input.sessionID || output.system.some((text) => text.includes("title generator"))) return
      const text = await briefing(input.sessionID)
      if (text) output.system.push(text)
    },
    // After that the newest is told.
    "experimental.session.compacting": async (input) => {
      told.delete(input.sessionID)
    },
    event: async ({ event }) => {
      if (event.type === "session.deleted") told.delete(event.properties?.info?.id)
    },
  }
}
