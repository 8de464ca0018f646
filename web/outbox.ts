/** What was written and is not yet heard. Kept until it is, sent in order, each under one key, so that trying again never says it twice. */
import type { Answer } from './api.ts'
import { keep, kept } from './keep.ts'
import { fieldsOf, listOf, textOf } from './shapes.ts'

export interface Letter {
  readonly key: string
  readonly content: string
  /** `sent`: the service has it; its own frame will show it. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed'
  readonly words: string
}

export interface Outbox {
  readonly letters: () => readonly Letter[]
  readonly write: (content: string) => void
  readonly again: (key: string) => void
  readonly drop: (key: string) => void
  /** A message of the person's was heard: the letter that said it is done. */
  readonly heard: (content: string) => void
  readonly flush: () => void
  readonly close: () => void
}

export interface Post {
  readonly id: string
  readonly send: (content: string, key: string) => Promise<Answer<true>>
  /** The line is open and she is awake. */
  readonly ready: () => boolean
  /** She was said not to be served: looks again, and says whether she is. */
  readonly awake: () => Promise<boolean>
  readonly onChange: () => void
  /** A letter was taken, but its frame did not come: it was heard before this page listened. */
  readonly onUnseen: () => Promise<void>
}

const retryAfter = 2_000
const frameWithin = 1_500
const notActive = 409

export const createOutbox = ({ id, send, ready, awake, onChange, onUnseen }: Post): Outbox => {
  let letters: readonly Letter[] = restored(kept('outbox', id))
  let flushing = false
  let closed = false

  const become = (next: readonly Letter[]) => {
    letters = next
    if (!closed) onChange()
    const unsent = letters.filter(({ state }) => state !== 'sent').map(({ key, content }) => ({ key, content }))
    keep('outbox', id, unsent.length === 0 ? '' : JSON.stringify(unsent))
  }

  const mark = (key: string, state: Letter['state'], words = '') =>
    become(letters.map((letter) => (letter.key === key ? { ...letter, state, words } : letter)))

  const drop = (key: string) => become(letters.filter((letter) => letter.key !== key))

  const flush = async () => {
    if (flushing) return
    flushing = true
    for (let next = first(); next && ready() && !closed; next = first()) {
      if (!(await post(next))) break
    }
    flushing = false
  }

  const first = () => letters.find(({ state }) => state === 'waiting')

  /** False when the next letter would fare no better. */
  const post = async (letter: Letter, tries = 1): Promise<boolean> => {
    mark(letter.key, 'sending')
    const answer = await send(letter.content, letter.key)
    if (answer.ok) return taken(letter)
    const { status, words } = answer.failure
    if (status === null) {
      mark(letter.key, 'waiting')
      setTimeout(() => void flush(), retryAfter)
      return false
    }
    if (status === notActive && tries === 1) {
      if (await awake()) return post(letter, tries + 1)
      mark(letter.key, 'waiting')
      return false
    }
    mark(letter.key, 'failed', words)
    return true
  }

  const taken = (letter: Letter): true => {
    mark(letter.key, 'sent')
    setTimeout(() => void settle(letter.key), frameWithin)
    return true
  }

  const settle = async (key: string) => {
    if (closed || !letters.some((letter) => letter.key === key)) return
    await onUnseen()
    drop(key)
  }

  return {
    letters: () => letters,
    drop,
    flush: () => void flush(),
    write: (content) => {
      become([...letters, { key: newKey(), content, state: 'waiting', words: '' }])
      void flush()
    },
    again: (key) => {
      mark(key, 'waiting')
      void flush()
    },
    heard: (content) => {
      const letter = letters.find((one) => one.content === content)
      if (letter) drop(letter.key)
    },
    close: () => {
      closed = true
    },
  }
}

/** Not `randomUUID`: it is missing where the page is not served from a loopback address. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const restored = (stored: string): readonly Letter[] => {
  try {
    return listOf(stored && JSON.parse(stored))
      .map(fieldsOf)
      .map(({ key, content }) => ({ key: textOf(key), content: textOf(content), state: 'waiting' as const, words: '' }))
      .filter(({ key, content }) => key && content)
  } catch {
    return []
  }
}
