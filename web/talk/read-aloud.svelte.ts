/** Reads text aloud with the browser's speech synthesis, by sentence, so that it can stop immediately. */
let isReading = $state(false)
let queue: readonly string[] = []

const voice: SpeechSynthesis | undefined = 'speechSynthesis' in window ? window.speechSynthesis : undefined

const splitSentences = (text: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** Removes Markdown and code. */
const toSpeech = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, (match) => /[.!?]$/.exec(match)?.[0] ?? ' ')
    .replace(/^[#>\s|*-]+/gm, '')
    .replace(/[*_`|~]+/g, '')

const next = () => {
  const [first, ...rest] = queue
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
