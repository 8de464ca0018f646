/** What routes are about, in the order in which they are described. */
export const tags = {
  Personas: 'Who lives here: create, change, start and stop, fork, delete.',
  Talk: 'What is said to a persona, and what it says.',
  Turns: 'What was thought and done for an answer, and what it cost.',
  Memory: 'What a persona knows, statement by statement.',
  Calendar: 'What is planned.',
  Channels: 'Telegram and Discord.',
  Tools: 'Servers of tools, and what the person lets them do.',
  Journal: 'Everything that happened: read, searched, compared, taken back, erased.',
  Health: 'How a persona is, and what mends it.',
  Diaries: 'Sealed copies of a life, and the phrase that opens them.',
  Import: 'Conversations with another AI.',
  Models: 'Which models there are, and where.',
  Daemon: 'The service itself.',
  OpenAI: 'Personas for programs that speak OpenAI’s protocol.',
} as const
export type Tag = keyof typeof tags
