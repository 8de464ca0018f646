/**
 * What was written and is not yet heard. Kept until it is, sent in order, each under one key, so that trying
 * again never says it twice.
 */
import type { Answer } from '../shared/answer.ts'
import { keep, kept } from '../shared/keep.ts'
import { newKey } from '../shared/new-key.ts'
import { fieldsOf, listOf, type Media, textOf } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import type { Going, Parcel } from './upload.ts'

export interface Letter {
  readonly key: string
  /** With a parcel its caption, which may be empty. */
  readonly content: string
  readonly parcel: Parcel | null
  /** `sent`: the service has it; its own frame will show it. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed'
  readonly words: string
}

export interface Outbox {
  readonly letters: () => readonly Letter[]
  readonly write: (content: string, parcel?: Parcel) => void
  readonly again: (key: string) => void
  /** Takes it back; a parcel on its way is stopped. */
  readonly drop: (key: string) => void
  /** A message of the person's was heard: the letter that said it is done. */
  readonly heard: (content: string, media: Media | null) => void
  readonly flush: () => void
  readonly close: () => void
}

export interface Post {
  readonly id: string
  readonly send: (letter: Letter, going: Going) => Promise<Answer<true>>
  /** Letters with a parcel that outlive the room: files fit into no drawer of the browser's. */
  readonly parcels: Map<string, readonly Letter[]>
  /** The line is open and the persona is awake. */
  readonly ready: () => boolean
  /** It was said not to be served: looks again, and says whether it is. */
  readonly awake: () => Promise<boolean>
  readonly onChange: () => void
  readonly onProgress: (key: string, share: number) => void
  /** A letter was taken, but its frame did not come: it was heard before this page listened. */
  readonly onUnseen: () => Promise<void>
}

const retryAfter = 2_000
const frameWithin = 1_500
const notActive = 409
/** A parcel that breaks off on an open line may be refused for its size, and would be sent for ever. */
const mostBreaks = 2

export const createOutbox = ({
  id,
  send,
  parcels,
  ready,
  awake,
  onChange,
  onProgress,
  onUnseen,
}: Post): Outbox => {
  let letters: readonly Letter[] = []
  let flushing = false
  let closed = false
  const cuts = new Map<string, AbortController>()
  const breaks = new Map<string, number>()
  /** Names of files that came with what was heard, and are told after it. */
  let following: readonly string[] = []

  const become = (next: readonly Letter[]) => {
    letters = next
    onChange()
    store(letters.filter(({ state }) => state !== 'sent'))
  }

  const store = (unsent: readonly Letter[]) => {
    const words = unsent.filter(({ parcel }) => !parcel).map(({ key, content }) => ({ key, content }))
    keep('outbox', id, words.length === 0 ? '' : JSON.stringify(words))
    const files = unsent.filter(({ parcel }) => parcel)
    if (files.length === 0) parcels.delete(id)
    else parcels.set(id, files)
  }

  const stored = () => [...restored(kept('outbox', id)), ...(parcels.get(id) ?? [])]

  const has = (key: string) => letters.some((letter) => letter.key === key)

  const mark = (key: string, state: Letter['state'], words = '') =>
    become(letters.map((letter) => (letter.key === key ? { ...letter, state, words } : letter)))

  const forget = (key: string) => become(letters.filter((letter) => letter.key !== key))

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
    const { key } = letter
    mark(key, 'sending')
    const cut = new AbortController()
    cuts.set(key, cut)
    const answer = await send(letter, { signal: cut.signal, onProgress: (share) => onProgress(key, share) })
    cuts.delete(key)
    if (closed) {
      // The room was left, and may be open again with letters of its own: only this one is known to be done.
      if (answer.ok) store(stored().filter((one) => one.key !== key))
      return false
    }
    // Taken back meanwhile, or its frame was quicker than the answer.
    if (!has(key)) return true
    if (answer.ok) return taken(letter)
    const { status, words } = answer.failure
    if (status === null) return broken(letter)
    if (status === notActive && tries === 1) {
      const isAwake = await awake()
      if (closed) return false
      if (isAwake) return post(letter, tries + 1)
      mark(key, 'waiting')
      return false
    }
    mark(key, 'failed', words)
    return true
  }

  const broken = ({ key, parcel }: Letter): boolean => {
    const times = (breaks.get(key) ?? 0) + 1
    breaks.set(key, times)
    if (parcel && times >= mostBreaks) {
      breaks.delete(key)
      mark(key, 'failed', text.talk.brokeOff)
      return true
    }
    mark(key, 'waiting')
    setTimeout(() => void flush(), retryAfter)
    return false
  }

  const taken = ({ key }: Letter): true => {
    mark(key, 'sent')
    setTimeout(() => void settle(key), frameWithin)
    return true
  }

  const settle = async (key: string) => {
    if (closed || !has(key)) return
    await onUnseen()
    if (!closed) forget(key)
  }

  letters = waitingOf(stored())
  return {
    letters: () => letters,
    flush: () => void flush(),
    drop: (key) => {
      cuts.get(key)?.abort()
      forget(key)
    },
    write: (content, parcel) => {
      become([...letters, { key: newKey(), content, parcel: parcel ?? null, state: 'waiting', words: '' }])
      void flush()
    },
    again: (key) => {
      mark(key, 'waiting')
      void flush()
    },
    heard: (content, media) => {
      if (media && content === '' && following.includes(media.name)) {
        const at = following.indexOf(media.name)
        following = following.filter((_, n) => n !== at)
        return
      }
      const letter = letters.find((one) => one.content === content && nameOf(one) === media?.name)
      if (!letter) return
      following = letter.parcel?.files.slice(1).map(({ name }) => name) ?? []
      forget(letter.key)
    },
    close: () => {
      closed = true
    },
  }
}

const nameOf = ({ parcel }: Letter): string | undefined => parcel?.files[0]?.name

/** What was on its way when the room was left goes again, under the same key; what failed still says why. */
const waitingOf = (letters: readonly Letter[]): readonly Letter[] =>
  letters.map((letter) => (letter.state === 'failed' ? letter : { ...letter, state: 'waiting' }))

const restored = (stored: string): readonly Letter[] => {
  try {
    return listOf(stored && JSON.parse(stored))
      .map(fieldsOf)
      .map(({ key, content }) => ({
        key: textOf(key),
        content: textOf(content),
        parcel: null,
        state: 'waiting' as const,
        words: '',
      }))
      .filter(({ key, content }) => key && content)
  } catch {
    return []
  }
}
