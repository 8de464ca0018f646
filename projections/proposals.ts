/**
 * Statements that programs suggest, until the user accepts or rejects them. They are not part of the
 * knowledge, so no reader of it sees them.
 */

import type { Document, Seq } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'
import type { Time } from './memories.ts'
import { emptyKeyed, type Keyed, listValues, withoutValue, withValue } from './persistent-map.ts'

export interface Proposal {
  readonly id: string
  readonly document: Document
  readonly text: string
  /** Name that the program gave, if any. */
  readonly by: string | null
  /** Position of the proposal's fact. */
  readonly seq: Seq
  /** Time of that fact, in epoch ms. */
  readonly at: number
}

/** Waiting proposals by id, in insertion order. */
export type Proposals = Keyed<Proposal>

export const initialProposals: Proposals = emptyKeyed

export const evolveProposals = (
  proposals: Proposals,
  { seq, at, event }: FactFor<'proposals'>,
): Proposals => {
  if (event.type === 'ProposalSettled') return withoutValue(proposals, event.id)
  const { type: _, ...proposal } = event
  return withValue(proposals, event.id, { ...proposal, seq, at })
}

/** A proposal as it is listed. */
export interface Proposed extends Omit<Proposal, 'seq' | 'at'> {
  /** ISO 8601 with offset. */
  readonly time: string
}

export const listProposed = (proposals: Proposals, time: Time): readonly Proposed[] =>
  listValues(proposals).map(({ id, document, text, by, at }) => ({ id, document, text, by, time: time(at) }))
