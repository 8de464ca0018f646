/** Cuts a long chat between people into conversations. */
import type { Found, Said } from './imported-conversation.ts'

/** A long chat is cut after this many messages, and before that at a pause of a week. */
const maxMessages = 2000
const minMessages = 200
const maxCharacters = 4_000_000
const pauseMs = 7 * 24 * 60 * 60 * 1000
/** Names of one conversation that are kept. */
const maxNames = 100

/** A message, and who wrote it. */
export interface ChatLine {
  /** Empty if it is known without it. */
  readonly name: string
  /** Null for a message without words. */
  readonly said: Said | null
  /** Milliseconds. */
  readonly time: number | null
}

interface ChatCutter {
  /** Returns the conversation that ended before this message, if one did. */
  push(line: ChatLine): Found | undefined
  end(): Found | undefined
}

interface Options {
  readonly kind: 'people' | 'talk'
  readonly title: string
  /** The name of the user, null if the user is unknown. */
  readonly person: () => string | null
}

/** The newest message may come first in the file: each conversation is put in the order of its times. */
export const createChatCutter = ({ kind, title, person }: Options): ChatCutter => {
  let lines: ChatLine[] = []
  let characters = 0
  let previousTime: number | null = null

  const end = (): Found | undefined => {
    if (lines.length === 0) return undefined
    const times = lines.flatMap(({ time }) => (time === null ? [] : [time]))
    const isNewestFirst = (times[0] ?? 0) > (times.at(-1) ?? 0)
    const all = (isNewestFirst ? lines.toReversed() : lines).map(({ said }) => said)
    const names = [...new Set(lines.map(({ name }) => name))].filter((name) => name !== '').slice(0, maxNames)
    lines = []
    characters = 0
    const people = kind === 'people' ? { person: person(), names } : {}
    return { kind, ...people, id: null, title, updated: [], said: () => all }
  }

  return {
    end,
    push: (line) => {
      const { said, time } = line
      const isPause =
        time !== null &&
        previousTime !== null &&
        Math.abs(time - previousTime) > pauseMs &&
        lines.length >= minMessages
      const isFull = lines.length >= maxMessages || characters > maxCharacters
      const endedChat = isPause || isFull ? end() : undefined
      lines.push(line)
      characters += said?.content.length ?? 0
      previousTime = time ?? previousTime
      return endedChat
    },
  }
}

/** Compares names regardless of case, of blanks around them, and of the `~` before unknown contacts. */
export const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b)

const plainName = (name: string): string =>
  name
    .normalize()
    .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
    .replace(/^~/, '')
    .trim()
    .toLowerCase()
