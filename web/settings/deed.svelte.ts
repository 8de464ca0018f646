/** The state of an action of the user: running, done or failed. Runs one action at a time. */
import type { Answer, Failure } from '../shared/answer.ts'

export interface DeedWords {
  readonly doing: string
  readonly done: string
}

export class Deed {
  /** Description of the running action, or an empty string. */
  doing = $state('')
  /** Description of the last completed action. */
  done = $state('')
  failure = $state.raw<Failure | null>(null)

  get busy(): boolean {
    return this.doing !== ''
  }

  /** Runs an action. Resolves to true on success, or to false if it failed or another action was running. */
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

  /** Shows an error without running an action. */
  refuse(words: string): void {
    this.clear()
    this.failure = { status: null, message: words, fields: {} }
  }

  clear(): void {
    this.done = ''
    this.failure = null
  }
}
