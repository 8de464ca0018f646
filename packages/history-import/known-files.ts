/**
 * Files that are read by their name, each kind a row: those of exports, of folders of other daemons, and of
 * a folder of chats.
 */

/** `notes`: about a user. `log`: lines with a speaker. `card`: the picture of a character card. */
export type Reading = 'json' | 'csv' | 'notes' | 'log' | 'card'

/** Messages of one channel in a data package of Discord, whose folder has the id of the channel. */
const discordFile = (ending: 'json' | 'csv') => new RegExp(`(?:^|/)c?\\d{10,22}/messages\\.${ending}$`, 'i')

export const isDiscordFile = (name: string): boolean =>
  discordFile('json').test(name) || discordFile('csv').test(name)

interface KnownFile {
  readonly at: RegExp
  readonly as: Reading
}

/**
 * In the order in which they are read: memories about a user first. Instructions and permissions of another
 * AI (`AGENTS.md`, `permissions.md`, `persona-trait.md`, skills) are not among them.
 */
const knownFiles: readonly KnownFile[] = [
  // Claude
  { at: /(?:^|\/)memories(?:-\d+)?\.json$|(?:^|\/)memories\/[^/]+\.json$/i, as: 'json' },
  // Eternego, `personas/<id>/home`: application/core/paths.py of Eternego-AI/eternego
  { at: /(?:^|\/)(?:person|traits|wishes|struggles)\.md$/, as: 'notes' },
  // OpenClaw, docs/concepts/memory.md; Hermes, tools/memory_tool.py
  { at: /(?:^|\/)(?:MEMORY|USER|SOUL)\.md$/, as: 'notes' },
  { at: /(?:^|\/)memory\/\d{4}-\d\d-\d\d[^/]{0,100}\.md$/, as: 'notes' },
  // ChatGPT, Claude, Gemini; the shards of the first in their order
  {
    at: /(?:^|\/)conversations(?:-(?<shard>\d+))?\.json$|(?:^|\/)conversations\/[^/]+\.json$|(?:^|\/)MyActivity\.json$/i,
    as: 'json',
  },
  // Grok
  { at: /(?:^|\/)prod-grok-backend\.json$/i, as: 'json' },
  // Eternego: the days that are over, and the one that is not
  { at: /(?:^|\/)history\/conversation-[^/]{1,100}\.md$/, as: 'log' },
  { at: /(?:^|\/)conversation\.jsonl$/, as: 'json' },
  // WhatsApp, iOS and Android
  { at: /(?:^|\/)(?:_chat|[^/]{0,40}WhatsApp[^/]{0,200})\.txt$/i, as: 'log' },
  // Telegram Desktop; other files of the folder are attachments
  { at: /^(?:[^/]{1,200}\/)?result\.json$/i, as: 'json' },
  // Discord, `messages/c123/messages.json`; before 2024 `messages.csv`. The folder's name is translated.
  { at: discordFile('json'), as: 'json' },
  { at: discordFile('csv'), as: 'csv' },
  // Microsoft Copilot
  { at: /(?:^|\/)copilot[^/]{0,100}\.csv$/i, as: 'csv' },
  // Claude Code, `~/.claude`, and Codex, `~/.codex`
  { at: /(?:^|\/)projects\/[^/]+\/[^/]+\.jsonl$/i, as: 'json' },
  { at: /(?:^|\/)rollout-[^/]+\.jsonl$/i, as: 'json' },
  // SillyTavern, `data/<user>`
  { at: /(?:^|\/)characters\/[^/]+\.png$/i, as: 'card' },
  { at: /(?:^|\/)(?:chats\/[^/]+|group chats)\/[^/]+\.jsonl$/i, as: 'json' },
]

/** Files of any name, read if no known file is in the zip. */
const likelyFiles: readonly KnownFile[] = [
  { at: /\.(?:json|jsonl|ndjson)$/i, as: 'json' },
  { at: /\.csv$/i, as: 'csv' },
  { at: /\.(?:txt|log|md)$/i, as: 'log' },
  { at: /\.png$/i, as: 'card' },
]

/** Metadata that macOS adds next to files. */
const shadow = /(?:^|\/)(?:__MACOSX\/|\._)/
const otherFiles =
  /(?:^|\/)(?:users?|user_settings|projects|message_feedback|shared_conversations|model_comparisons|group_chats|shopping|sora|export_manifest|manifest)\.json$|(?:^|\/)(?:projects|textdocs)\//i

export interface NamedFile {
  readonly name: string
  readonly as: Reading
  /** An export gives it this name. Other files are read because of their ending. */
  readonly isNamed?: boolean
}

/** Returns undefined if the name does not tell the form: its content is checked then. */
export const readingByName = (name: string): Reading | undefined =>
  knownFiles.find(({ at }) => at.test(name))?.as ??
  (/^\d{4}-\d\d-\d\d[^/]{0,100}\.md$/.test(name) ? 'notes' : undefined)

/**
 * Returns the files of a zip that hold a history. Returns undefined if no file could hold one, and an empty
 * list if all are known to be something else.
 */
export const historyFiles = (names: readonly string[]): readonly NamedFile[] | undefined => {
  const ownNames = names.filter((name) => !shadow.test(name))
  const namedFiles = knownFiles.flatMap(({ at, as }) =>
    inOrder(ownNames, at).map((name) => ({ name, as, isNamed: true })),
  )
  if (namedFiles.length > 0) return namedFiles
  const all = ownNames.flatMap((name) => {
    const form = likelyFiles.find(({ at }) => at.test(name))?.as
    return form ? [{ name, as: form }] : []
  })
  return all.length > 0 ? all.filter(({ name }) => !otherFiles.test(name)) : undefined
}

/** How many files of a zip are known to hold no conversations; those that are read do not count. */
export const countOthers = (names: readonly string[], read: readonly NamedFile[] = []): number => {
  const takenNames = new Set(read.map(({ name }) => name))
  return names.filter((name) => otherFiles.test(name) && !shadow.test(name) && !takenNames.has(name)).length
}

export const innerZips = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /\.zip$/i.test(name) && !shadow.test(name))

const inOrder = (names: readonly string[], order: RegExp): readonly string[] =>
  names
    .flatMap((name) => {
      const match = order.exec(name)
      return match ? [{ name, shard: Number(match.groups?.shard ?? -1) }] : []
    })
    .sort((a, b) => a.shard - b.shard)
    .map(({ name }) => name)
