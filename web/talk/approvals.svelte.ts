/** The tool calls of a talk that wait for the user's decision, and the decisions. */
import { answerTo, client } from '../shared/client.ts'
import type { Approval, Frame } from '../shared/shapes.ts'

export const answers = ['once', 'always', 'no'] as const
export type Decision = (typeof answers)[number]

export interface Settled {
  readonly approval: Approval
  /** The daemon's name of the decision, or `elsewhere` if the decision is unknown. */
  readonly decision: string
}

/** Milliseconds. Older calls, from while the page was disconnected, cause no notification. */
const maxAgeMs = 120_000

export class Approvals {
  #asked = $state.raw<readonly Approval[]>([])
  /** Calls from before the page was opened. */
  #past = $state.raw<readonly Approval[]>([])
  #decided = $state.raw<Readonly<Record<number, string>>>({})
  readonly open = $derived(this.#asked.filter(({ id }) => this.#decided[id] === undefined))
  readonly settled = $derived<readonly Settled[]>(
    [
      ...this.#past,
      ...this.#asked.filter(({ id }) => !this.#past.some((pastApproval) => pastApproval.id === id)),
    ].flatMap((approval) => {
      const decision = this.#decided[approval.id]
      return decision === undefined ? [] : [{ approval, decision }]
    }),
  )
  readonly #id: string
  readonly #onAsked: (approval: Approval) => void
  #loads = 0

  constructor(id: string, onAsked: (approval: Approval) => void) {
    this.#id = id
    this.#onAsked = onAsked
  }

  /** Loads the open calls, which may have changed while disconnected. */
  load = async (): Promise<void> => {
    this.#loads += 1
    const request = this.#loads
    const openBefore = this.open
    const answer = await answerTo(
      client.GET('/api/persona/{persona_id}/approvals', { params: { path: { persona_id: this.#id } } }),
    )
    if (!answer.ok || request !== this.#loads) return
    const { approvals } = answer.value
    for (const { id } of openBefore)
      if (!approvals.some((approval) => approval.id === id)) this.settle(id, 'elsewhere')
    for (const approval of approvals) this.#add(approval)
  }

  applyFrame({ id, approval, decision }: Extract<Frame, { readonly type: 'approval' }>): void {
    if (!approval) return this.settle(id, decision)
    const isNew = this.#add(approval)
    // The input may be too long for a frame.
    if (approval.input === null && this.#decided[id] === undefined) void this.load()
    if (isNew && Date.now() - Date.parse(approval.asked_at) < maxAgeMs) this.#onAsked(approval)
  }

  /** Loads the settled calls between two positions of the talk. */
  recall = async (afterSeq: number, upto: number | undefined): Promise<void> => {
    const { settledBetween } = await import('./settled-before.ts')
    const { approvals, decisions } = await settledBetween(this.#id, afterSeq, upto)
    for (const [id, decision] of decisions) this.settle(id, decision)
    if (approvals.length > 0) this.#past = [...approvals, ...this.#past]
  }

  /** The page may learn that a call was settled before it learns the decision. */
  settle(id: number, decision: string): void {
    if (decision === 'elsewhere' && this.#decided[id] !== undefined) return
    this.#decided = { ...this.#decided, [id]: decision }
  }

  #add(approval: Approval): boolean {
    const otherApprovals = this.#asked.filter(({ id }) => id !== approval.id)
    const isNew = otherApprovals.length === this.#asked.length
    this.#asked = [...otherApprovals, approval].sort((a, b) => a.id - b.id)
    return isNew
  }
}
