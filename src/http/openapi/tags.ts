/** Subjects of the routes, in the order of the docs. */
export const tags = {
  Personas: 'Personas: create, change, start and stop, fork, delete.',
  Talk: 'Messages to a persona, and its replies.',
  Turns: 'Model calls and tool calls of an answer, and their cost.',
  Memory: 'The statements that a persona knows.',
  Calendar: 'Planned entries.',
  Mail: 'Mailboxes that the persona reads.',
  Channels: 'Telegram, Discord and Matrix.',
  Tools: 'Tool servers, and their permissions.',
  Journal: 'All facts: read, search, compare, undo, erase.',
  Health: 'Health of a persona, and repair.',
  Diaries: 'Encrypted copies of a persona, and the phrase that opens them.',
  Import: 'Import of conversations with another AI.',
  Models: 'Available models and their addresses.',
  Daemon: 'The daemon itself.',
  OpenAI: 'Personas for clients of OpenAI’s API.',
} as const
export type Tag = keyof typeof tags
