/** A talk that nobody keeps: it stands in this view alone, and goes with it. */
import type { Failure } from '../shared/answer.ts'
import type { ShownPicture } from './shown-pictures.ts'
import { type Ending, type Line, unkeptAnswer } from './unkept-answer.ts'

export interface Spoken extends Line {
  /** Whether it was said to its end: `cut` at the limit of the model, `broken` by what went wrong. */
  readonly end: 'whole' | 'cut' | 'broken'
}

export class OffRecordTalk {
  said = $state.raw<readonly Spoken[]>([])
  /** What is being said, as far as it has come. */
  growing = $state('')
  busy = $state(false)
  /** Why the last words have no whole answer. */
  trouble = $state.raw<'absent' | 'unanswered' | Failure | null>(null)
  readonly #id: string
  #asking: AbortController | null = null
  #words = ''
  #frame = 0

  constructor(id: string) {
    this.#id = id
  }

  /** Whoever speaks while it answers has heard enough of that. */
  say(content: string, pictures: readonly ShownPicture[]): void {
    this.stop()
    this.said = [...this.said, { role: 'user', content, pictures, end: 'whole' }]
    void this.#ask()
  }

  again(): void {
    const last = this.said.at(-1)
    if (last?.end === 'broken') this.said = this.said.slice(0, -1)
    void this.#ask()
  }

  stop(): void {
    if (!this.#asking) return
    this.#asking.abort()
    this.#end('whole')
  }

  forget(): void {
    this.stop()
    this.said = []
    this.trouble = null
  }

  async #ask() {
    const asking = new AbortController()
    this.#asking = asking
    this.busy = true
    this.trouble = null
    const isMine = () => this.#asking === asking
    const ending = await unkeptAnswer(this.#id, this.said, {
      signal: asking.signal,
      onWords: (words) => isMine() && this.#grow(words),
    })
    if (isMine()) this.#end(ending)
  }

  /** Words come quicker than a screen shows them: what of them stands at the next picture is drawn. */
  #grow(words: string) {
    this.#words += words
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => {
      this.growing = this.#words
    })
  }

  #end(ending: Ending) {
    const content = this.#words.trim()
    const isWhole = ending === 'whole' || ending === 'cut'
    cancelAnimationFrame(this.#frame)
    this.#asking = null
    this.#words = ''
    this.growing = ''
    this.busy = false
    if (content !== '')
      this.said = [
        ...this.said,
        { role: 'assistant', content, pictures: [], end: isWhole ? ending : 'broken' },
      ]
    if (!isWhole) this.trouble = ending
    else if (content === '') this.trouble = 'unanswered'
  }
}
