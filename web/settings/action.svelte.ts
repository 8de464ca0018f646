/** The state of an action of the user: running, done or failed. Runs one action at a time. */
import type { Answer, Failure } from '../shared/answer.ts'

export interface ActionWords {
  readonly doing: string
  readonly done: string
}

export class Action {
  /** Description of the running action, or an empty string. */
  running = $state('')
  /** Description of the last completed action. */
  done = $state('')
  failure = $state.raw<Failure | null>(null)

  get busy(): boolean {
    return this.running !== ''
  }

  /** Runs an action. Resolves to true on success, or to false if it failed or another action was running. */
  async run(words: ActionWords, ask: () => Promise<Answer<unknown>>): Promise<boolean> {
    if (this.busy) return false
    this.clear()
    this.running = words.doing
    const answer = await ask()
    this.running = ''
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
