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
  async run(labels: ActionWords, ask: () => Promise<Answer<unknown>>): Promise<boolean> {
    if (this.busy) return false
    this.clear()
    this.running = labels.doing
    const answer = await ask()
    this.running = ''
    if (answer.ok) this.done = labels.done
    else this.failure = answer.failure
    return answer.ok
  }

  /** Shows an error without running an action. */
  refuse(message: string): void {
    this.clear()
    this.failure = { status: null, message, fields: {} }
  }

  clear(): void {
    this.done = ''
    this.failure = null
  }
}
