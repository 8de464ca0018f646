/** Facts about messages that a persona writes by itself: the user's choice, and the reasons for a message. */
import * as z from 'zod'
import { fact, ordinaryTraits } from './fact.ts'
import { InitiativeKind, InitiativeLevel, Seq } from './fact-values.ts'

const traits = { ...ordinaryTraits, state: ['initiative'] } as const

/**
 * `at`: epoch ms from which the persona may write. `reason`: in its words. `sources`: the messages that it
 * comes from. `yearly`: it comes again each year.
 */
const candidate = {
  id: z.string(),
  kind: InitiativeKind,
  at: z.int(),
  reason: z.string(),
  sources: z.array(Seq),
  yearly: z.literal(true).optional(),
}
const next = { id: { thing: 'initiative', as: 'next' } } as const
const plannedTraits = {
  ...traits,
  outside: ['id', 'kind', 'at', 'sources', 'yearly'],
  blank: { reason: '' },
} as const

export const initiativeFacts = {
  /**
   * How often the persona may write by itself. `zone`: IANA name of the user's time zone, or null for that of
   * the daemon. It does not write between the local times `quietFrom` and `quietUntil` (`21:00`); two equal
   * times mean that no hour is quiet.
   */
  InitiativeChosen: fact(
    { level: InitiativeLevel, zone: z.string().nullable(), quietFrom: z.string(), quietUntil: z.string() },
    { ...traits, outside: ['level', 'zone', 'quietFrom', 'quietUntil'] },
  ),
  /** The persona found a reason to write. */
  InitiativePlanned: fact(candidate, {
    ...plannedTraits,
    background: true,
    links: { sources: { to: 'source' }, id: { thing: 'initiative', as: 'first' } },
  }),
  /** The new version of a reason with the same id. */
  InitiativeMoved: fact(candidate, { ...plannedTraits, links: { sources: { to: 'source' }, ...next } }),
  /** `cause`: the user removed it, it is settled by the talk, or its messages are gone. */
  InitiativeRemoved: fact(
    { id: z.string(), cause: z.enum(['person', 'talk', 'source']) },
    { ...traits, outside: ['id', 'cause'], links: next },
  ),
  /** The user wants fewer messages like this one. */
  InitiativeDisliked: fact(
    { id: z.string(), kind: InitiativeKind, reason: z.string() },
    { ...traits, outside: ['id', 'kind'], links: next, blank: { reason: '' } },
  ),
  /** The persona is about to decide whether it writes. */
  InitiativeConsidered: fact(
    { life: z.int(), id: z.string() },
    { ...traits, background: true, missed: false, outside: ['life', 'id'], links: { life: null, ...next } },
  ),
  /**
   * The decision. `spoke`: the next fact is the message. `silent`: it had nothing to say. `expired`: its time
   * was over. `failed`: it could not be decided. `next`: when it comes again, epoch ms; null if it does not.
   */
  InitiativeSettled: fact(
    {
      id: z.string(),
      outcome: z.enum(['spoke', 'silent', 'expired', 'failed']),
      next: z.int().nullable(),
    },
    { ...traits, background: true, outside: ['id', 'outcome', 'next'], links: next, leads: true },
  ),
}
