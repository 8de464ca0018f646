/**
 * Reads the CSV of Microsoft's privacy dashboard (*Copilot → Export all activity history*):
 * `Conversation,Time,Author,Message`, the newest row first. It has neither ids nor a time zone, and a prompt
 * has the same time as its answer, so rows are reversed and not sorted.
 */
import type { Row } from './csv-rows.ts'
import type { Found, Said } from './imported-conversation.ts'
import type { OnLeftOut } from './left-out.ts'
import { getField, toTime } from './loose-values.ts'

const columns = ['conversation', 'time', 'author', 'message']

export const isCopilot = (names: readonly string[]): boolean =>
  columns.every((column) => names.includes(column))

/** Max characters of the rows in memory: later rows of the file may belong to the same conversation. */
const maxHeldBytes = 16 * 1024 * 1024

const roles: Readonly<Record<string, Said['role']>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  copilot: 'assistant',
  assistant: 'assistant',
}

interface Held {
  readonly title: string
  readonly said: Said[]
}

export const fromCopilot = async function* (
  rows: AsyncIterable<Row>,
  onLeftOut: OnLeftOut,
): AsyncGenerator<Found> {
  let conversations = new Map<string, Held>()
  let characters = 0
  for await (const { conversation = '', time = '', author = '', message = '' } of rows) {
    const role = getField(roles, author.trim().toLowerCase()) as Said['role'] | undefined
    if (!role || message.trim() === '') {
      onLeftOut('bad_message')
      continue
    }
    const title = conversation.trim()
    // Without a title, a day is a conversation.
    const key = title === '' ? `\0${time.slice(0, 10)}` : title
    const chat = conversations.get(key) ?? { title, said: [] }
    conversations.set(key, chat)
    chat.said.push({ role, content: message, time: time.trim() })
    characters += message.length + 100
    if (characters < maxHeldBytes) continue
    yield* [...conversations.values()].map(toFound)
    conversations = new Map()
    characters = 0
  }
  yield* [...conversations.values()].map(toFound)
}

const toFound = ({ title, said }: Held): Found => ({
  id: null,
  title,
  updated: [],
  said: () => (isNewestFirst(said) ? said.toReversed() : said),
})

const isNewestFirst = (messages: readonly Said[]): boolean => {
  const first = toTime(messages[0]?.time) ?? 0
  const last = toTime(messages.at(-1)?.time) ?? 0
  return first === last ? messages[0]?.role === 'assistant' : first > last
}
