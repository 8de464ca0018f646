/**
 * What programs would have it know, until the person says what becomes of it: no part of what it knows, so
 * nothing that reads its knowledge meets it.
 */
import type { Document, Seq } from '../journal/facts/fact-values.ts'
import type { Time } from './memories.ts'
import { type Keyed, nothing, valuesOf, without, withValue } from './persistent-map.ts'
import type { FactFor } from './persona.ts'

export interface Proposal {
  readonly id: string
  readonly document: Document
  readonly text: string
  /** What the program calls itself, where it says so. */
  readonly by: string | null
  /** The fact it stands in. */
  readonly seq: Seq
  /** When that was, epoch milliseconds. */
  readonly at: number
}

/** Those that wait, by id, in the order they came. */
export type Proposals = Keyed<Proposal>

export const initialProposals: Proposals = nothing

export const evolveProposals = (
  proposals: Proposals,
  { seq, at, event }: FactFor<'proposals'>,
): Proposals => {
  if (event.type === 'ProposalSettled') return without(proposals, event.id)
  const { type: _, ...proposed } = event
  return withValue(proposals, event.id, { ...proposed, seq, at })
}

/** As it is listed. */
export interface Proposed extends Omit<Proposal, 'seq' | 'at'> {
  /** ISO 8601 with offset. */
  readonly time: string
}

export const proposedOf = (proposals: Proposals, time: Time): readonly Proposed[] =>
  valuesOf(proposals).map(({ id, document, text, by, at }) => ({ id, document, text, by, time: time(at) }))
