/** Data that a room loads from the daemon: loading, failed or available. */
import type { Answer, Failure } from './answer.ts'

export class Loaded<T> {
  /** Keeps its value during a reload. */
  value = $state.raw<T | undefined>(undefined)
  /** The failure of the last request, if it failed. */
  failure = $state.raw<Failure | null>(null)
  loading = $state(false)
  readonly #ask: () => Promise<Answer<T>>
  #asked = 0
  #newest: Promise<void> = Promise.resolve()

  constructor(ask: () => Promise<Answer<T>>) {
    this.#ask = ask
  }

  /** Loads the value. Drops responses to older requests; resolves after the response to the newest one. */
  async load(): Promise<void> {
    this.#newest = this.#request()
    let request: Promise<void>
    do {
      request = this.#newest
      await request
    } while (request !== this.#newest)
  }

  async #request(): Promise<void> {
    this.#asked += 1
    const request = this.#asked
    this.loading = true
    const answer = await this.#ask()
    if (request !== this.#asked) return
    this.loading = false
    this.failure = answer.ok ? null : answer.failure
    if (answer.ok) this.value = answer.value
  }
}
