/** Writes down speech with the browser's speech recognition. Chrome sends the sound to its vendor. */
import type { MicTrouble } from './recorder.ts'

export interface Dictation {
  readonly stop: () => void
}

interface DictationEvents {
  /** All text so far. Its end may still change. */
  readonly onWords: (words: string) => void
  /** `trouble`: null if it ended as usual. */
  readonly onEnd: (trouble: MicTrouble | 'unrecognized' | null) => void
}

/** The part of the browser's interface that is used. TypeScript does not know it. */
interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  start(): void
  stop(): void
}

interface ResultEvent extends Event {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>
}

const troubles: Readonly<Record<string, MicTrouble | null>> = {
  'not-allowed': 'denied',
  'service-not-allowed': 'denied',
  'audio-capture': 'absent',
  'no-speech': null,
  aborted: null,
}

const getRecognition = (): (new () => Recognition) | undefined => {
  const { SpeechRecognition: standard, webkitSpeechRecognition: prefixed } = window as {
    SpeechRecognition?: new () => Recognition
    webkitSpeechRecognition?: new () => Recognition
  }
  return standard ?? prefixed
}

export const canDictate = (): boolean => getRecognition() !== undefined

/** `language`: such as `de`. */
export const startDictation = (language: string, { onWords, onEnd }: DictationEvents): Dictation | null => {
  const Recognition = getRecognition()
  if (!Recognition) return null
  const recognition = new Recognition()
  let trouble: MicTrouble | 'unrecognized' | null = null
  recognition.lang = language
  recognition.continuous = true
  recognition.interimResults = true
  recognition.addEventListener('result', (event) => {
    const { results } = event as ResultEvent
    onWords(
      Array.from(results, (alternatives) => alternatives[0]?.transcript ?? '')
        .join('')
        .trimStart(),
    )
  })
  recognition.addEventListener('error', (event) => {
    const { error = '' } = event as Event & { readonly error?: string }
    trouble = Object.hasOwn(troubles, error) ? (troubles[error] ?? null) : 'unrecognized'
  })
  recognition.addEventListener('end', () => onEnd(trouble))
  recognition.start()
  return { stop: () => recognition.stop() }
}
