/** The current state of a persona: the bounded state for decisions, folded from its facts. */

import type { StatePart } from '../facts/fact.ts'
import type { Seq } from '../facts/fact-values.ts'
import { getTraits } from '../facts/facts.ts'
import { Damaged } from '../journal/log/errors.ts'
import { type Days, evolveDays, initialDays, markStirred } from './days.ts'
import { type Deliveries, evolveDeliveries, initialDeliveries } from './deliveries.ts'
import type { Fact, FactFor } from './fact.ts'
import { evolveInitiative, type Initiative, initialInitiative } from './initiative.ts'
import { evolveKnowledge, initialKnowledge, type Knowledge } from './knowledge.ts'
import { evolveLife, initialLife, type Life } from './life.ts'
import { evolveMail, initialMail, type Mail } from './mail.ts'
import { evolvePlans, initialPlans, type Plans } from './plans.ts'
import { evolvePromptBase, type PromptBase } from './prompt-base.ts'
import { evolveProposals, initialProposals, type Proposals } from './proposals.ts'
import { evolveResponses, initialResponses, type Responses } from './responses.ts'
import { evolveSelf, type Self } from './self.ts'
import { evolveSkills, initialSkills, type Skills } from './skills.ts'
import { evolveTalk, initialTalk, type Talk } from './talk.ts'
import { evolveWebRequests, initialWebRequests, type WebRequests } from './web-requests.ts'

export interface Persona {
  readonly self: Self
  readonly life: Life
  readonly talk: Talk
  readonly plans: Plans
  readonly knowledge: Knowledge
  readonly proposals: Proposals
  readonly skills: Skills
  readonly days: Days
  readonly deliveries: Deliveries
  readonly web: WebRequests
  readonly initiative: Initiative
  readonly responses: Responses
  readonly mail: Mail
  /** The state that the system prompt shows. */
  readonly base: PromptBase
  /** The parts to which a stored fact could not be applied. Absent if there are none. */
  readonly stale?: StaleParts
}

type Part = StatePart | 'base'

/** A stale part is the state before fact `seq`. `error`: name of the error of its fold. */
export type StaleParts = Readonly<Partial<Record<Part, { readonly seq: Seq; readonly error: string }>>>

/** Raise it when the state's shape or a fold's meaning changes. Snapshots of other versions are ignored. */
export const personaVersion = 21

/** One fold for each part. */
export const foldTable: { readonly [P in StatePart]: (state: Persona[P], fact: FactFor<P>) => Persona[P] } = {
  self: evolveSelf,
  life: evolveLife,
  talk: evolveTalk,
  plans: evolvePlans,
  knowledge: evolveKnowledge,
  proposals: evolveProposals,
  skills: evolveSkills,
  days: evolveDays,
  deliveries: evolveDeliveries,
  web: evolveWebRequests,
  initiative: evolveInitiative,
  responses: evolveResponses,
  mail: evolveMail,
}

const initial: Omit<Persona, 'self' | 'base'> & { readonly self: undefined } = {
  self: undefined,
  life: initialLife,
  talk: initialTalk,
  plans: initialPlans,
  knowledge: initialKnowledge,
  proposals: initialProposals,
  skills: initialSkills,
  days: initialDays,
  deliveries: initialDeliveries,
  web: initialWebRequests,
  initiative: initialInitiative,
  responses: initialResponses,
  mail: initialMail,
}

/** Throws if a fold throws. Stale parts do not change. */
export const evolve = (persona: Persona | undefined, fact: Fact): Persona => {
  const { type } = fact.event
  if (!persona && type !== 'PersonaCreated') throw new Error(`${type} comes before PersonaCreated`)
  const { state, background } = getTraits(type)
  const nextState: Record<Part, unknown> = { base: undefined, ...(persona ?? initial) }
  const stale = persona?.stale
  // The row's `state` lists only parts whose fold accepts this fact.
  for (const part of state)
    if (!stale?.[part]) nextState[part] = foldTable[part](nextState[part] as never, fact as never)
  if (!background && !state.includes('days') && !stale?.days)
    nextState.days = markStirred(nextState.days as Days, fact)
  if (!stale?.base) nextState.base = evolvePromptBase(persona?.base, fact, nextState as unknown as Persona)
  return nextState as unknown as Persona
}

/**
 * For facts on disk, which cannot be refused any more: a part whose fold throws becomes stale, and the other
 * parts continue. A corrected fold needs a new `personaVersion`. Throws if the fact is unreadable, or if
 * there would be no persona.
 */
export const evolveStored = (persona: Persona | undefined, fact: Fact): Persona => {
  try {
    return evolve(persona, fact)
  } catch (error) {
    if (!persona || error instanceof Damaged) throw error
    return evolveOthers(persona, fact)
  }
}

/** Finds the parts that throw by evolving each part alone. */
const evolveOthers = (persona: Persona, fact: Fact): Persona => {
  const parts: readonly Part[] = [...getTraits(fact.event.type).state, 'days', 'base']
  const stale: { -readonly [P in keyof StaleParts]: StaleParts[P] } = { ...persona.stale }
  for (const part of parts) {
    const others = Object.fromEntries(parts.filter((other) => other !== part).map((other) => [other, true]))
    try {
      evolve({ ...persona, stale: { ...persona.stale, ...others } }, fact)
    } catch (error) {
      stale[part] = { seq: fact.seq, error: error instanceof Error ? error.name : 'unknown' }
    }
  }
  return evolve({ ...persona, stale }, fact)
}
