/** The rules of proposals: what a program may propose to be known, and what the person makes of it. */
import type { Document } from '../../../journal/facts/fact-values.ts'
import { oneLine, plainly } from '../../../projections/knowledge.ts'
import { countOf, isAt, valueAt, valuesOf } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Proposal, Proposals } from '../../../projections/proposals.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { keepMemory, knownAs, unfit } from './memory.ts'

export interface ProposeMemory {
  readonly type: 'ProposeMemory'
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly by: string | null
}

/** What the person says to a proposal. */
export interface SettleProposal {
  readonly type: 'SettleProposal'
  readonly id: string
  readonly accepted: boolean
}

export type ProposalCommand = ProposeMemory | SettleProposal

/** Those that may wait: nobody reads more, and the state has to stay small. */
const mostWaiting = 100

/** UTF-16 units of what a program calls itself. */
const longestName = 100

/** The one that waits and says the same. */
export const waitingAs = (
  proposals: Proposals,
  { document, text }: Pick<Proposal, 'document' | 'text'>,
): Proposal | undefined => {
  const words = plainly(oneLine(text))
  return valuesOf(proposals).find((one) => one.document === document && plainly(one.text) === words)
}

/** What is known already, or waits already, is not proposed again. */
const proposeMemory = ({ knowledge, proposals }: Persona, command: ProposeMemory): Decision => {
  const { id, document } = command
  const text = oneLine(command.text)
  const bad = unfit(text)
  if (bad) return bad
  if (knownAs(knowledge, { document, text, origin: 'persona' }) || waitingAs(proposals, command))
    return accept()
  if (countOf(proposals) >= mostWaiting) return refuse({ code: 'proposals_full', most: mostWaiting })
  const by = oneLine(command.by ?? '').slice(0, longestName) || null
  return accept({ type: 'MemoryProposed', id, document, text, by })
}

/** Accepted, it is the person's own statement, and comes from what was proposed. */
const settleProposal = (persona: Persona, { id, accepted }: SettleProposal): Decision => {
  const proposal = valueAt(persona.proposals, id)
  if (!proposal) {
    // Accepted a moment ago, on another page.
    return accepted && isAt(persona.knowledge.statements, id)
      ? accept()
      : refuse({ code: 'statement_unknown', id })
  }
  const settled = { type: 'ProposalSettled', id, accepted } as const
  if (!accepted) return accept(settled)
  const { document, text, seq } = proposal
  const kept = keepMemory(persona, {
    type: 'KeepMemory',
    ...{ id, document, text, sources: [seq], origin: 'person' },
  })
  return 'refused' in kept ? kept : accept(...kept.events, settled)
}

export const proposalRules: Rules<ProposalCommand> = {
  ProposeMemory: proposeMemory,
  SettleProposal: settleProposal,
}
