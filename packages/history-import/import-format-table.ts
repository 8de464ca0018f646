/**
 * The forms of an import, one row each. The refusal of an unknown file and the table in
 * `docs/how-to/importing.md` are made of it; the page has a choice for each `source`.
 */

export interface ImportForm {
  /** The choice on the page. Rows may share one. */
  readonly source: string
  /** For people. A colon divides the rows that share a source. */
  readonly name: string
  /** How to get the file there. */
  readonly get: string
  /** What to send. */
  readonly send: string
  /** The parts that become material for memory. */
  readonly taken: string
}

export const importForms: readonly ImportForm[] = [
  {
    source: 'chatgpt',
    name: 'ChatGPT',
    get: '*Settings → Data controls → Export data*',
    send: 'the zip, also the one of zips from the privacy portal, its `conversations.json`, or a shared conversation as JSON',
    taken: 'the branch that was viewed last, custom instructions, spoken messages',
  },
  {
    source: 'claude',
    name: 'Claude',
    get: '*Settings → Privacy → Export data*',
    send: 'the zip, or its JSON',
    taken: 'the branch that was spoken last, transcripts of voice, its memories of you',
  },
  {
    source: 'gemini',
    name: 'Gemini',
    get: 'takeout.google.com, *My Activity → Gemini Apps*, as **JSON**',
    send: 'the zip, or `MyActivity.json` under its name in your language',
    taken:
      'prompts, also without an answer; exchanges within half an hour of each other, as one conversation',
  },
  {
    source: 'grok',
    name: 'Grok',
    get: '*Settings → Data controls → Export account data*',
    send: 'the zip, or `prod-grok-backend.json`',
    taken: 'the branch that was spoken last',
  },
  {
    source: 'openwebui',
    name: 'Open WebUI',
    get: '*Settings → Data controls → Export chats*, or one chat as JSON',
    send: 'the JSON',
    taken: 'the branch that was viewed last, without thoughts and tools',
  },
  {
    source: 'librechat',
    name: 'LibreChat',
    get: "a conversation's *Share → Export*, as JSON",
    send: 'the JSON',
    taken: 'the newest branch; of a long one, export it without *recursive*',
  },
  {
    source: 'sillytavern',
    name: 'SillyTavern: chats',
    get: "the folder `data/<user>/chats`, or a chat's *Export* as JSONL",
    send: 'a zip of the folder, or a `.jsonl`',
    taken: "the messages, without the card's greeting, hidden lines and other swipes",
  },
  {
    source: 'sillytavern',
    name: 'SillyTavern: cards',
    get: "the folder `data/<user>/characters`, or a card's *Export*",
    send: 'a `.png` or `.json` of version 1, 2 or 3, or a zip',
    taken: 'description, personality and scenario',
  },
  {
    source: 'aistudio',
    name: 'Google AI Studio',
    get: 'the folder *Google AI Studio* in Google Drive',
    send: 'the file of a prompt',
    taken: 'the messages, without thoughts',
  },
  {
    source: 'claudecode',
    name: 'Claude Code',
    get: '`~/.claude/projects`',
    send: "a zip of a project's folder, or a session's `.jsonl`",
    taken: 'the messages, without tools, side chains and thoughts',
  },
  {
    source: 'codex',
    name: 'Codex CLI',
    get: '`~/.codex/sessions`',
    send: 'a zip of the folder, or a `rollout-….jsonl`',
    taken: 'the messages, without tools, thoughts and its context',
  },
  {
    source: 'openclaw',
    name: 'OpenClaw',
    get: 'the workspace, `~/.openclaw/workspace`',
    send: 'a zip of it, or one file',
    taken: '`MEMORY.md`, `USER.md`, `SOUL.md`, `memory/2026-01-31.md`',
  },
  {
    source: 'hermes',
    name: 'Hermes',
    get: '`~/.hermes`',
    send: 'a zip of it, or one file',
    taken: '`MEMORY.md`, `USER.md`, `SOUL.md`, an entry at a time',
  },
  {
    source: 'eternego',
    name: 'Eternego: folder',
    get: '`~/.eternego/personas/<id>/home`',
    send: 'a zip of it',
    taken: '`person.md`, `traits.md`, `wishes.md`, `struggles.md`, `history/`, `conversation.jsonl`',
  },
  {
    source: 'eternego',
    name: 'Eternego: diary',
    get: "a persona's *Export*, or `~/.eternego/diary/<id>`",
    send: 'the `.diary` under its own name, and `-F phrase="…"`',
    taken: 'the same',
  },
  {
    source: 'characterai',
    name: 'Character.AI',
    get: 'a browser extension that saves chats as JSON',
    send: 'the JSON',
    taken: 'the answers that were chosen, without the greeting',
  },
  {
    source: 'letta',
    name: 'Letta',
    get: '*Download agent file*',
    send: 'the `.af`',
    taken: 'the talk, and the memory block about you',
  },
  {
    source: 'locomo',
    name: 'LoCoMo',
    get: "the benchmark's JSON",
    send: 'the JSON',
    taken: 'each session; the person is `speaker_a`',
  },
  {
    source: 'whatsapp',
    name: 'WhatsApp',
    get: "a chat's *Export chat*, without media",
    send: 'the `.txt` or the zip, under its own name',
    taken: 'your own messages; those of others give context and never become memory',
  },
  {
    source: 'telegram',
    name: 'Telegram',
    get: "in Telegram Desktop, a chat's *Export chat history*, or *Settings → Advanced → Export Telegram data*, as **JSON**",
    send: '`result.json`, or a zip of the folder',
    taken:
      'your own messages; messages of others and forwarded ones give context and never become memory. In a group that was exported alone, say who you are',
  },
  {
    source: 'discord',
    name: 'Discord',
    get: '*Settings → Data & Privacy → Request all of my data*, with *Messages*',
    send: 'the zip (`messages/c…/messages.json` or `messages.csv`), or one of these files',
    taken: 'your own messages; those of others are not in the package',
  },
  {
    source: 'copilot',
    name: 'Microsoft Copilot',
    get: 'account.microsoft.com/privacy, *Copilot → Export all activity history*',
    send: '`copilot-activity-history.csv`, or a CSV with the columns `Conversation`, `Time`, `Author` and `Message`',
    taken: 'the messages; conversations with the same title are one',
  },
  {
    source: 'other',
    name: 'any other',
    get: '',
    send: 'messages of `role` and `content` as one JSON or a line each; plain text, `Name: words` a line',
    taken: 'all of it',
  },
]

/** One line for a refusal, without the marks of Markdown. */
export const listImportForms = (): string =>
  importForms.map(({ name, send }) => `${name} (${send.replace(/[`*]/g, '')})`).join('; ')
