/** Reads text aloud with the browser's speech synthesis, by sentence, so that it can stop immediately. */
import { splitSentences, toSpeech } from './sentence-feed.ts'

let isReading = $state(false)
let current = $state('')
let queue: readonly string[] = []

const voice: SpeechSynthesis | undefined = 'speechSynthesis' in window ? window.speechSynthesis : undefined

const next = () => {
  const [first, ...rest] = queue
  current = first ?? ''
  if (!voice || first === undefined) {
    isReading = false
    return
  }
  queue = rest
  const sentence = new SpeechSynthesisUtterance(first)
  sentence.onend = next
  // The next sentence would fail too, so reading stops.
  sentence.onerror = () => {
    queue = []
    isReading = false
  }
  voice.speak(sentence)
}

export const aloud = {
  able: voice !== undefined && 'Segmenter' in Intl,
  get reading(): boolean {
    return isReading
  },
  read: (text: string): void => {
    aloud.hush()
    queue = splitSentences(toSpeech(text))
    isReading = queue.length > 0
    next()
  },
  /** The sentence that is being read; empty if there is none. */
  get sentence(): string {
    return isReading ? current : ''
  },
  /** Appends text to the queue. */
  also: (text: string): void => {
    if (!isReading) return aloud.read(text)
    queue = [...queue, ...splitSentences(toSpeech(text))]
  },
  hush: (): void => {
    queue = []
    if (isReading) voice?.cancel()
    isReading = false
  },
}
