/** Loads the time of the moment that the address names. */
import type { Failure } from '../shared/answer.ts'
import { lastFactAt } from '../shared/journal-lines.ts'

export class MomentThen {
  /** ISO time; null for now and while it is loading. */
  time = $state<string | null>(null)
  seq = $state<number | null>(null)
  failure = $state.raw<Failure | null>(null)
  #asked = 0

  async load(id: string, moment: string | null): Promise<void> {
    this.#asked += 1
    const request = this.#asked
    if (moment === null) {
      this.time = null
      this.seq = null
      this.failure = null
      return
    }
    const answer = await lastFactAt(id, moment)
    if (request !== this.#asked) return
    this.failure = answer.ok ? null : answer.failure
    this.time = (answer.ok ? answer.value?.at : undefined) ?? null
    this.seq = (answer.ok ? answer.value?.seq : undefined) ?? null
  }
}
