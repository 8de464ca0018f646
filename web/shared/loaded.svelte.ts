/** What a room asked the daemon for: on its way, failed with a reason, or here. */
import type { Answer, Failure } from './answer.ts'

export class Loaded<T> {
  /** Stays while it is asked for anew. */
  value = $state.raw<T | undefined>(undefined)
  /** Why the last answer was none. */
  failure = $state.raw<Failure | null>(null)
  loading = $state(false)
  readonly #ask: () => Promise<Answer<T>>
  #asked = 0

  constructor(ask: () => Promise<Answer<T>>) {
    this.#ask = ask
  }

  /** Asks; of answers that overtake each other the one asked for last counts. */
  async load(): Promise<void> {
    this.#asked += 1
    const mine = this.#asked
    this.loading = true
    const answer = await this.#ask()
    if (mine !== this.#asked) return
    this.loading = false
    this.failure = answer.ok ? null : answer.failure
    if (answer.ok) this.value = answer.value
  }
}
