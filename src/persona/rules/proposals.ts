/** Rules of proposals: programs propose statements, the user accepts or declines them. */
import type { Document } from '../../../facts/fact-values.ts'
import { oneLine, toPlainText } from '../../../projections/knowledge.ts'
import { countValues, isAt, listValues, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Proposal, Proposals } from '../../../projections/proposals.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { keepMemory } from './memory.ts'
import { knownAs, refuseUnfit } from './statements.ts'

export interface ProposeMemory {
  readonly type: 'ProposeMemory'
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly by: string | null
}

/** The user's decision. */
export interface SettleProposal {
  readonly type: 'SettleProposal'
  readonly id: string
  readonly accepted: boolean
}

export type ProposalCommand = ProposeMemory | SettleProposal

/** Bounded, since all proposals are part of the state. */
const maxProposals = 100

/** Of a program, in UTF-16 units. */
const maxNameLength = 100

/** Returns the open proposal with the same text. */
export const waitingAs = (
  proposals: Proposals,
  { document, text }: Pick<Proposal, 'document' | 'text'>,
): Proposal | undefined => {
  const words = toPlainText(oneLine(text))
  return listValues(proposals).find(
    (proposal) => proposal.document === document && toPlainText(proposal.text) === words,
  )
}

/** Ignores statements that are known or already proposed. */
const proposeMemory = ({ knowledge, proposals }: Persona, command: ProposeMemory): Decision => {
  const { id, document } = command
  const text = oneLine(command.text)
  const refusal = refuseUnfit(text, document)
  if (refusal) return refusal
  if (knownAs(knowledge, { document, text, origin: 'persona' }) || waitingAs(proposals, command))
    return accept()
  if (countValues(proposals) >= maxProposals) return refuse({ code: 'proposals_full', most: maxProposals })
  const proposedBy = oneLine(command.by ?? '').slice(0, maxNameLength) || null
  return accept({ type: 'MemoryProposed', id, document, text, by: proposedBy })
}

/** An accepted proposal becomes a statement of the user, with the proposal as its source. */
const settleProposal = (persona: Persona, { id, accepted }: SettleProposal): Decision => {
  const proposal = valueAt(persona.proposals, id)
  if (!proposal) {
    // It was just accepted on another page.
    return accepted && isAt(persona.knowledge.statements, id)
      ? accept()
      : refuse({ code: 'statement_unknown', id })
  }
  const settledEvent = { type: 'ProposalSettled', id, accepted } as const
  if (!accepted) return accept(settledEvent)
  const { document, text, seq } = proposal
  const result = keepMemory(persona, {
    type: 'KeepMemory',
    id,
    document,
    text,
    sources: [seq],
    origin: 'person',
  })
  return 'refused' in result ? result : accept(...result.events, settledEvent)
}

export const proposalRules: Rules<ProposalCommand> = {
  ProposeMemory: proposeMemory,
  SettleProposal: settleProposal,
}
