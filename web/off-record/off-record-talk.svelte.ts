/** An off-record talk: it exists only in this view and is never saved. */
import { findHelpText } from '../care/care.ts'
import type { Failure } from '../shared/answer.ts'
import { type Ending, type Line, streamOffRecordAnswer } from './off-record-answer.ts'
import type { ShownPicture } from './shown-pictures.ts'

export interface OffRecordMessage extends Line {
  /** `cut`: ended at the model's length limit. `broken`: ended with an error. */
  readonly end: 'whole' | 'cut' | 'broken'
}

export class OffRecordTalk {
  messages = $state.raw<readonly OffRecordMessage[]>([])
  /** The answer that is being streamed, so far. */
  partialAnswer = $state('')
  busy = $state(false)
  /** The reason why the last message has no complete answer. */
  trouble = $state.raw<'absent' | 'unanswered' | Failure | null>(null)
  /** The help for a user whose life may be in danger; empty if none is needed. */
  help = $state('')
  readonly #id: string
  #asking: AbortController | null = null
  #words = ''
  #frame = 0

  constructor(id: string) {
    this.#id = id
  }

  /** Sends a message. Stops the answer that is being streamed. */
  send(content: string, pictures: readonly ShownPicture[]): void {
    this.stop()
    this.messages = [...this.messages, { role: 'user', content, pictures, end: 'whole' }]
    void this.#ask()
  }

  retry(): void {
    const last = this.messages.at(-1)
    if (last?.end === 'broken') this.messages = this.messages.slice(0, -1)
    void this.#ask()
  }

  stop(): void {
    if (!this.#asking) return
    this.#asking.abort()
    this.#end('whole')
  }

  clear(): void {
    this.stop()
    this.messages = []
    this.help = ''
    this.trouble = null
  }

  async #ask() {
    const aborter = new AbortController()
    this.#asking = aborter
    this.busy = true
    this.trouble = null
    const isMine = () => this.#asking === aborter
    // A quick second message must not hide this one.
    const message = this.messages.findLast(({ role }) => role === 'user')
    const ending = await streamOffRecordAnswer(this.#id, this.messages, {
      signal: aborter.signal,
      onWords: (text) => isMine() && this.#grow(text),
    })
    if (isMine()) this.#end(ending)
    if (message) await this.#showHelp(message)
  }

  /** Once in a talk, also if the model did not answer or was stopped. */
  async #showHelp(message: OffRecordMessage) {
    const needsSearch = this.help === '' && message.content !== ''
    const help = needsSearch ? await findHelpText(this.#id, message.content) : ''
    // The talk was not cleared meanwhile.
    if (help !== '' && this.messages.includes(message)) this.help = help
  }

  /** Chunks arrive faster than the screen refreshes: renders at most once per frame. */
  #grow(text: string) {
    this.#words += text
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => {
      this.partialAnswer = this.#words
    })
  }

  #end(ending: Ending) {
    const content = this.#words.trim()
    const isWhole = ending === 'whole' || ending === 'cut'
    cancelAnimationFrame(this.#frame)
    this.#asking = null
    this.#words = ''
    this.partialAnswer = ''
    this.busy = false
    if (content !== '')
      this.messages = [
        ...this.messages,
        { role: 'assistant', content, pictures: [], end: isWhole ? ending : 'broken' },
      ]
    if (!isWhole) this.trouble = ending
    else if (content === '') this.trouble = 'unanswered'
  }
}
