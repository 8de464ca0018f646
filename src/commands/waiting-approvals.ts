/** Lists the tool calls that wait for approval. */
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
  /** The tool was allowed, but its description has changed. */
  readonly changed: boolean
  /** The tool is always allowed, but the user has not seen this address yet. */
  readonly again: boolean
}

/** Oldest first. Throws Refused: persona_unknown. */
export const waitingApprovals = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
): Promise<readonly WaitingApproval[]> => {
  known(personas, id)
  return personas.read(id, async ({ persona, journal }) => {
    const waiting: WaitingApproval[] = []
    for (const approval of openApprovals(persona.talk)) {
      const { id: seq, turn, server, tool, asked } = approval
      const question = await readQuestion(journal, seq)
      const { changed, again = false } = question
      const input = question.input ?? (await findInput(journal, approval))
      waiting.push({ id: seq, turn, server, tool, asked, input, changed, again })
    }
    return waiting
  })
}

const readQuestion = async (journal: Journal, seq: Seq) => {
  const event = (await entryAt(journal, seq))?.event
  return event?.type === 'ApprovalAsked' ? event : { input: null, changed: false, again: false }
}

/** An input too long for its fact is in the answer of the Mind. */
const findInput = async (
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
