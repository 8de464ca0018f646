/**
 * Stores messages until they are delivered, and sends them in order. Each has an idempotency key, so that a
 * retry does not deliver it twice.
 */
import type { Answer } from '../shared/answer.ts'
import { readStorage, writeStorage } from '../shared/local-storage.ts'
import { newKey } from '../shared/new-key.ts'
import { type Media, toFields, toList, toText } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import type { Parcel, UploadOptions } from './upload.ts'

export interface Letter {
  readonly key: string
  /** The caption if there is a parcel; may then be empty. */
  readonly content: string
  readonly parcel: Parcel | null
  /** `sent`: the daemon has accepted it, and its frame is expected. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed'
  readonly words: string
}

export interface Outbox {
  readonly letters: () => readonly Letter[]
  readonly write: (content: string, parcel?: Parcel) => void
  readonly again: (key: string) => void
  /** Removes a message. Aborts its upload. */
  readonly drop: (key: string) => void
  /** Removes the message that the daemon has delivered to the persona. */
  readonly onMessage: (content: string, media: Media | null) => void
  readonly flush: () => void
  readonly close: () => void
}

export interface Post {
  readonly id: string
  readonly send: (letter: Letter, options: UploadOptions) => Promise<Answer<true>>
  /** Messages with files, which outlive the room but do not fit into local storage. */
  readonly parcels: Map<string, readonly Letter[]>
  /** True if the socket is connected and the persona is running. */
  readonly ready: () => boolean
  /** Called after the daemon answered that the persona is not running. Checks again. */
  readonly awake: () => Promise<boolean>
  readonly onChange: () => void
  readonly onProgress: (key: string, share: number) => void
  /**
   * Called if the frame of an accepted message did not arrive, because it was sent before the page was
   * connected.
   */
  readonly onUnseen: () => Promise<void>
}

const retryAfterMs = 2_000
const frameWithinMs = 1_500
const notActive = 409
/** Max attempts for a file whose upload breaks off: it may be too large, and would be retried forever. */
const maxBreaks = 2

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
  let isClosed = false
  const aborters = new Map<string, AbortController>()
  const breaks = new Map<string, number>()
  /** Names of the other files of the last delivered message, whose frames follow. */
  let following: readonly string[] = []

  const setLetters = (next: readonly Letter[]) => {
    letters = next
    onChange()
    store(letters.filter(({ state }) => state !== 'sent'))
  }

  const store = (unsentLetters: readonly Letter[]) => {
    const textLetters = unsentLetters
      .filter(({ parcel }) => !parcel)
      .map(({ key, content }) => ({ key, content }))
    writeStorage('outbox', id, textLetters.length === 0 ? '' : JSON.stringify(textLetters))
    const files = unsentLetters.filter(({ parcel }) => parcel)
    if (files.length === 0) parcels.delete(id)
    else parcels.set(id, files)
  }

  const loadStored = () => [...parseStored(readStorage('outbox', id)), ...(parcels.get(id) ?? [])]

  const hasLetter = (key: string) => letters.some((letter) => letter.key === key)

  const mark = (key: string, state: Letter['state'], reason = '') =>
    setLetters(letters.map((letter) => (letter.key === key ? { ...letter, state, words: reason } : letter)))

  const forget = (key: string) => setLetters(letters.filter((letter) => letter.key !== key))

  const flush = async () => {
    if (flushing) return
    flushing = true
    for (let next = first(); next && ready() && !isClosed; next = first()) {
      if (!(await post(next))) break
    }
    flushing = false
  }

  const first = () => letters.find(({ state }) => state === 'waiting')

  /** Returns false if the next message would fail, too. */
  const post = async (letter: Letter, attempts = 1): Promise<boolean> => {
    const { key } = letter
    mark(key, 'sending')
    const aborter = new AbortController()
    aborters.set(key, aborter)
    const answer = await send(letter, {
      signal: aborter.signal,
      onProgress: (share) => onProgress(key, share),
    })
    aborters.delete(key)
    if (isClosed) {
      // A reopened room may have its own outbox by now, so only this message is removed.
      if (answer.ok) store(loadStored().filter((other) => other.key !== key))
      return false
    }
    // The user removed the message, or its frame arrived before the response.
    if (!hasLetter(key)) return true
    if (answer.ok) return onTaken(letter)
    const { status, message } = answer.failure
    if (status === null) return onBroken(letter)
    if (status === notActive && attempts === 1) {
      const isAwake = await awake()
      if (isClosed) return false
      if (isAwake) return post(letter, attempts + 1)
      mark(key, 'waiting')
      return false
    }
    mark(key, 'failed', message)
    return true
  }

  const onBroken = ({ key, parcel }: Letter): boolean => {
    const times = (breaks.get(key) ?? 0) + 1
    breaks.set(key, times)
    if (parcel && times >= maxBreaks) {
      breaks.delete(key)
      mark(key, 'failed', text.talk.brokeOff)
      return true
    }
    mark(key, 'waiting')
    setTimeout(() => void flush(), retryAfterMs)
    return false
  }

  const onTaken = ({ key }: Letter): true => {
    mark(key, 'sent')
    setTimeout(() => void settle(key), frameWithinMs)
    return true
  }

  const settle = async (key: string) => {
    if (isClosed || !hasLetter(key)) return
    await onUnseen()
    if (!isClosed) forget(key)
  }

  letters = markWaiting(loadStored())
  return {
    letters: () => letters,
    flush: () => void flush(),
    drop: (key) => {
      aborters.get(key)?.abort()
      forget(key)
    },
    write: (content, parcel) => {
      setLetters([
        ...letters,
        { key: newKey(), content, parcel: parcel ?? null, state: 'waiting', words: '' },
      ])
      void flush()
    },
    again: (key) => {
      mark(key, 'waiting')
      void flush()
    },
    onMessage: (content, media) => {
      if (media && content === '' && following.includes(media.name)) {
        const index = following.indexOf(media.name)
        following = following.filter((_, n) => n !== index)
        return
      }
      const letter = letters.find(
        (candidate) => candidate.content === content && getFileName(candidate) === media?.name,
      )
      if (!letter) return
      following = letter.parcel?.files.slice(1).map(({ name }) => name) ?? []
      forget(letter.key)
    },
    close: () => {
      isClosed = true
    },
  }
}

const getFileName = ({ parcel }: Letter): string | undefined => parcel?.files[0]?.name

/** Interrupted messages are sent again with the same key. Failed messages keep their error. */
const markWaiting = (letters: readonly Letter[]): readonly Letter[] =>
  letters.map((letter) => (letter.state === 'failed' ? letter : { ...letter, state: 'waiting' }))

const parseStored = (storedText: string): readonly Letter[] => {
  try {
    return toList(storedText && JSON.parse(storedText))
      .map(toFields)
      .map(({ key, content }) => ({
        key: toText(key),
        content: toText(content),
        parcel: null,
        state: 'waiting' as const,
        words: '',
      }))
      .filter(({ key, content }) => key && content)
  } catch {
    return []
  }
}
