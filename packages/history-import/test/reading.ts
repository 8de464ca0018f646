/** Reads exports in tests: conversations, remarks, and counts of the parts that were left out. */
import { withFile } from '../../documents/test/place.ts'
import { readHistory } from '../exported-history.ts'
import type { Conversation } from '../imported-conversation.ts'
import { createLeftOutCounts, type LeftOutCounts } from '../left-out.ts'
import { Unreadable, type UnreadableReason } from '../unreadable.ts'

export interface ReadFile {
  readonly all: readonly Conversation[]
  readonly notes: readonly string[]
  readonly people: readonly string[]
  readonly counts: LeftOutCounts
  readonly failed: UnreadableReason | undefined
}

interface Given {
  readonly name?: string
  readonly me?: string
}

export const readAll = (bytes: Uint8Array | string, options: Given = {}): Promise<ReadFile> =>
  withFile(bytes, async (path) => {
    const all: Conversation[] = []
    const notes: string[] = []
    let people: readonly string[] = []
    let failureReason: UnreadableReason | undefined
    const { counts, onLeftOut } = createLeftOutCounts()
    const { signal } = new AbortController()
    const onPeople = (names: readonly string[]) => {
      people = names
    }
    const listeners = { signal, onLeftOut, onPeople, onNote: (note: string) => void notes.push(note) }
    try {
      for await (const conversation of readHistory(path, { ...listeners, ...options })) all.push(conversation)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      failureReason = error.reason
    }
    return { all, notes, people, counts, failed: failureReason }
  })

export const words = ({ all }: Pick<ReadFile, 'all'>): readonly string[] =>
  all.flatMap(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`))

export const pickResult = ({ all, failed }: ReadFile) => ({ all, failed })

/** Counts without holding the conversations. */
export const countIn = async (path: string, options: Given = {}) => {
  const { signal } = new AbortController()
  const { counts, onLeftOut } = createLeftOutCounts()
  let conversations = 0
  let messages = 0
  for await (const conversation of readHistory(path, { signal, onLeftOut, ...options })) {
    conversations++
    messages += conversation.messages.length
  }
  return { conversations, messages, counts }
}
