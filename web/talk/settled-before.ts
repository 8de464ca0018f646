/** Reads the approvals between two positions of a talk from the journal. */
import { readJournal } from '../shared/journal-lines.ts'
import { type Approval, toFields, toText } from '../shared/shapes.ts'

export interface SettledBefore {
  readonly approvals: readonly Approval[]
  /** By the id of the tool call, which may be before the first position. */
  readonly decisions: readonly (readonly [id: number, decision: string])[]
}

/** Never rejects: returns nothing if the journal cannot be read. */
export const settledBetween = async (
  id: string,
  afterSeq: number,
  upto: number | undefined,
): Promise<SettledBefore> => {
  const type = 'ApprovalAsked,ApprovalSettled'
  const answer = await readJournal(id, { after: afterSeq, type, ...(upto !== undefined && { upto }) })
  const lines = answer.ok ? answer.value.lines : []
  const approvals = lines.flatMap(({ type, seq, at, payload }) => {
    if (type !== 'ApprovalAsked' || payload === null) return []
    const { server, tool, turn, changed, again } = payload
    const approvalFields = { server: toText(server), tool: toText(tool), asked_at: at, input: null }
    return {
      id: seq,
      turn: Number(turn),
      changed: changed === true,
      again: again === true,
      ...approvalFields,
    }
  })
  const decisions = lines.flatMap(({ type, payload }) => {
    const { approval, decision } = toFields(payload)
    return type === 'ApprovalSettled' && typeof approval === 'number'
      ? [[approval, toText(decision)] as const]
      : []
  })
  return { approvals, decisions }
}
