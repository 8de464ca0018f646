/** What waits for the person's word: calls of tools, with what the tools would be told. */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { type Approval, openApprovals } from '../../projections/talk.ts'
import { keptAnswer } from '../persona/kept-answer.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

export interface WaitingApproval extends Pick<Approval, 'id' | 'server' | 'tool' | 'asked'> {
  readonly turn: Seq
  readonly input: unknown
  /** It was allowed, and is described otherwise since. */
  readonly changed: boolean
  /** It is allowed always, but the user has not seen this address yet. */
  readonly again: boolean
}

/** Oldest first. Refused: persona_unknown. */
export const waitingApprovals = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
): Promise<readonly WaitingApproval[]> => {
  known(personas, id)
  return personas.read(id, async ({ persona, journal }) => {
    const waiting: WaitingApproval[] = []
    for (const approval of openApprovals(persona.talk)) {
      const { id: seq, turn, server, tool, asked } = approval
      const { input, changed, again = false } = await askedIn(journal, seq)
      const told = input ?? (await inputIn(journal, approval))
      waiting.push({ id: seq, turn, server, tool, asked, input: told, changed, again })
    }
    return waiting
  })
}

const askedIn = async (journal: Journal, seq: Seq) => {
  const event = (await entryAt(journal, seq))?.event
  return event?.type === 'ApprovalAsked' ? event : { input: null, changed: false, again: false }
}

/** One that is too long for its fact stands in the answer of the Mind that asked for it. */
const inputIn = async (
  journal: Journal,
  { id, turn, step, call }: Approval & { readonly turn: Seq },
): Promise<unknown> => {
  for await (const { event } of journal.read({ kind: 'calls', after: turn, upTo: id })) {
    if (event.type !== 'ModelAnswered' || event.turn !== turn || event.step !== step) continue
    const answer = await keptAnswer(journal, event)
    return answer?.calls.find((one) => one.id === call)?.input ?? null
  }
  return null
}
