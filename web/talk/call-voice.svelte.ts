/** Says sentences aloud, in order: with the Mouth of a persona, or else with the browser's voice. */
import { readFailure } from '../shared/answer.ts'
import { client } from '../shared/client.ts'
import { aloud } from './read-aloud.svelte.ts'
import { measureLevel } from './recorder.ts'

/** Loads the sound of a sentence. Rejects if the Mouth fails. */
type SoundLoader = (sentence: string, signal: AbortSignal) => Promise<ArrayBuffer>

/** The daemon's limit for one request, in UTF-16 units. */
const maxSentence = 4_000

/** Loads sounds from the Mouth of the persona. */
export const createSoundLoader =
  (id: string): SoundLoader =>
  async (sentence, signal) => {
    const { data, error, response } = await client.POST('/api/persona/{persona_id}/speak', {
      params: { path: { persona_id: id } },
      body: { text: sentence.slice(0, maxSentence) },
      parseAs: 'arrayBuffer',
      signal,
    })
    if (data instanceof ArrayBuffer) return data
    throw new Error(readFailure(response.status, error, (header) => response.headers.get(header)).message)
  }

interface Queued {
  readonly sentence: string
  sound: Promise<AudioBuffer | null> | null
}

/** Sentences that are loaded before they are played, so that there is no gap. */
const maxLoads = 2
/** Measurements that the level covers: the sound reaches the microphone later than it is played. */
const keptLevels = 6

export class CallVoice {
  /** The sentence that is being said; empty if there is none. */
  sentence = $state('')
  #isPlaying = $state(false)
  #queue: Queued[] = []
  #controller = new AbortController()
  #source: AudioBufferSourceNode | null = null
  #load: SoundLoader | null
  readonly #onTrouble: (words: string) => void
  readonly #context: AudioContext | null
  readonly #analyser: AnalyserNode | null
  #levels: readonly number[] = []

  /** `load`: null without a Mouth. `onTrouble`: called once if the Mouth fails. The browser then reads. */
  constructor(load: SoundLoader | null, onTrouble: (words: string) => void) {
    this.#load = load
    this.#onTrouble = onTrouble
    this.#context = load && new AudioContext()
    this.#analyser = this.#context && new AnalyserNode(this.#context, { fftSize: 4096 })
    if (this.#context) this.#analyser?.connect(this.#context.destination)
  }

  get isSpeaking(): boolean {
    return this.#isPlaying || aloud.reading
  }

  /** The sentence of either voice. */
  get caption(): string {
    return this.sentence || aloud.sentence
  }

  /** False for the browser's voice, whose loudness cannot be measured. */
  get isMeasured(): boolean {
    return !aloud.reading
  }

  say(sentence: string): void {
    // Sentences that wait for their sound come first.
    if (!this.#load && !this.#isPlaying) return aloud.also(sentence)
    this.#queue.push({ sentence, sound: null })
    this.#loadAhead()
    if (!this.#isPlaying) void this.#play()
  }

  stop(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#queue = []
    this.#source?.stop()
    aloud.hush()
  }

  /** Returns the greatest loudness of the last measurements, from 0 to 1. Call it at a steady pace. */
  level(): number {
    const level = this.#analyser && this.#source ? measureLevel(this.#analyser) : 0
    this.#levels = [...this.#levels, level].slice(-keptLevels)
    return Math.max(...this.#levels)
  }

  close(): void {
    this.stop()
    void this.#context?.close()
  }

  #loadAhead() {
    const { signal } = this.#controller
    for (const queued of this.#queue.slice(0, maxLoads))
      queued.sound ??= this.#loadSound(queued.sentence, signal)
  }

  async #loadSound(sentence: string, signal: AbortSignal): Promise<AudioBuffer | null> {
    try {
      const bytes = await this.#load?.(sentence, signal)
      return bytes && this.#context ? await this.#context.decodeAudioData(bytes) : null
    } catch (error) {
      if (!signal.aborted && this.#load) this.#onTrouble(error instanceof Error ? error.message : '')
      if (!signal.aborted) this.#load = null
      return null
    }
  }

  async #play() {
    this.#isPlaying = true
    while (this.#queue[0]) {
      const [queued] = this.#queue
      const { signal } = this.#controller
      const sound = await queued.sound
      if (signal.aborted) continue
      this.#queue.shift()
      this.#loadAhead()
      // Only one voice speaks at a time.
      if (sound && !aloud.reading) await this.#playSound(sound, queued.sentence, signal)
      else aloud.also(queued.sentence)
    }
    this.#isPlaying = false
    // A running context uses the audio device. It may be closed already.
    void this.#context?.suspend().catch(() => {})
  }

  async #playSound(sound: AudioBuffer, sentence: string, signal: AbortSignal): Promise<void> {
    const context = this.#context
    if (!context || !this.#analyser) return
    await context.resume()
    if (signal.aborted) return
    const source = new AudioBufferSourceNode(context, { buffer: sound })
    source.connect(this.#analyser)
    this.#source = source
    this.sentence = sentence
    await new Promise((resolve) => {
      source.addEventListener('ended', resolve)
      source.start()
    })
    this.#source = null
    this.sentence = ''
  }
}
