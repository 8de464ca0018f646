/** One thing a person has done, at a time: that it goes on, that it is done, or why it could not be. */
import type { Answer, Failure } from '../shared/answer.ts'

export interface DeedWords {
  readonly doing: string
  readonly done: string
}

export class Deed {
  /** What goes on, in words; empty while nothing does. */
  doing = $state('')
  /** What was done last, in words. */
  done = $state('')
  failure = $state.raw<Failure | null>(null)

  get busy(): boolean {
    return this.doing !== ''
  }

  /** Whether it was done; what is asked for meanwhile is not. */
  async run(words: DeedWords, ask: () => Promise<Answer<unknown>>): Promise<boolean> {
    if (this.busy) return false
    this.clear()
    this.doing = words.doing
    const answer = await ask()
    this.doing = ''
    if (answer.ok) this.done = words.done
    else this.failure = answer.failure
    return answer.ok
  }

  /** It is not asked for: these words say why. */
  refuse(words: string): void {
    this.clear()
    this.failure = { status: null, words, fields: {} }
  }

  clear(): void {
    this.done = ''
    this.failure = null
  }
}
