/** Subjects of the routes, in the order of the docs. */
export const tags = {
  Personas: 'Who lives here: create, change, start and stop, fork, delete.',
  Talk: 'Messages to a persona, and its replies.',
  Turns: 'Model calls and tool calls of an answer, and their cost.',
  Memory: 'The statements that a persona knows.',
  Calendar: 'What is planned.',
  Channels: 'Telegram and Discord.',
  Tools: 'Tool servers, and what the user allows them.',
  Journal: 'Everything that happened: read, searched, compared, taken back, erased.',
  Health: 'Health of a persona, and repair.',
  Diaries: 'Sealed copies of a life, and the phrase that opens them.',
  Import: 'Conversations with another AI.',
  Models: 'Which models there are, and where.',
  Daemon: 'The service itself.',
  OpenAI: 'Personas for programs that speak OpenAI’s protocol.',
} as const
export type Tag = keyof typeof tags
