/** Words read by the voice of this browser, sentence by sentence, so that quiet comes at once. */
let reading = $state(false)
let queue: readonly string[] = []

const voice: SpeechSynthesis | undefined = 'speechSynthesis' in window ? window.speechSynthesis : undefined

const sentencesOf = (words: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(words)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** Without marks, and without code, which nobody wants to hear. */
const spokenOf = (words: string): string =>
  words
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, (found) => /[.!?]$/.exec(found)?.[0] ?? ' ')
    .replace(/^[#>\s|*-]+/gm, '')
    .replace(/[*_`|~]+/g, '')

const next = () => {
  const [first, ...rest] = queue
  if (!voice || first === undefined) {
    reading = false
    return
  }
  queue = rest
  const sentence = new SpeechSynthesisUtterance(first)
  sentence.onend = next
  // What cannot be said ends it: the next would fare no better.
  sentence.onerror = () => {
    queue = []
    reading = false
  }
  voice.speak(sentence)
}

export const aloud = {
  able: voice !== undefined && 'Segmenter' in Intl,
  get reading(): boolean {
    return reading
  },
  read: (words: string): void => {
    aloud.hush()
    queue = sentencesOf(spokenOf(words))
    reading = queue.length > 0
    next()
  },
  /** Behind what is being read. */
  also: (words: string): void => {
    if (!reading) return aloud.read(words)
    queue = [...queue, ...sentencesOf(spokenOf(words))]
  },
  hush: (): void => {
    queue = []
    if (reading) voice?.cancel()
    reading = false
  },
}
