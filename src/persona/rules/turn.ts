/** The rules of turns: what an agent may write of the turn that answers what was heard. */
import type { Answer, Channel, Failed, Outcome, Seq, Used } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { dueInTurns, inboxKey, perceivedMark } from '../../../projections/talk.ts'
import { withdrawn } from './approvals.ts'
import { done, othersIn } from './calendar.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, marksOf, type OfLife, type OfTurn, type OrganCall } from './life.ts'
import { notice, spoken } from './talk.ts'

interface BeginTurn extends OfLife {
  readonly type: 'BeginTurn'
  readonly channel: Channel | null
  /** The last message it takes: as many as the Mind can be shown. The rest is the next turn. */
  readonly upTo: Seq | 0
}

/** A model's answer, recorded with what it says aloud; without calls it ends the turn as `answered`. */
export interface RecordAnswer extends OfTurn {
  readonly type: 'RecordAnswer'
  readonly step: number
  readonly used: Used
  readonly answer: Answer
  /** Where an answer too long for a fact was kept. */
  readonly part: string | null
  /** Where the data was kept that its model wants back; absent if there are none. */
  readonly opaque?: string
  /** Words of others in what it says that the user did not say. */
  readonly borrowed: readonly string[]
}

/**
 * A file that came with a message was perceived, or could not be: `words` are said for it then, in the
 * daemon's own words.
 */
export interface RecordPerception extends OfTurn {
  readonly type: 'RecordPerception'
  readonly perceived: Pick<EventOf<'MediaDescribed'>, 'message' | 'filename' | 'organ' | 'outcome' | 'text'>
  readonly words: string | null
  readonly calls: readonly OrganCall[]
}

/** `words` are the daemon's own, said where the Mind gave none; `failed` is the Mind's call that ended it. */
export interface EndTurn extends OfTurn {
  readonly type: 'EndTurn'
  readonly outcome: Outcome
  readonly reason: string | null
  readonly words: string | null
  readonly failed: Failed | null
}

/**
 * The Mind failed in the middle of a turn: what was done in it stays done, and it goes on where it stands
 * once the Mind answers. `words` tell the person, unless they know.
 */
export interface HoldTurn extends OfTurn {
  readonly type: 'HoldTurn'
  readonly words: string | null
  readonly failed: Failed
}

/** `said`: what was being said when it was cut; it stays. */
interface Hush {
  readonly type: 'Hush'
  readonly said: Saying | null
}

/** The words of a step so far, not yet recorded. */
export interface Saying {
  readonly turn: Seq
  readonly step: number
  readonly text: string
}

export type TurnCommand = BeginTurn | RecordAnswer | RecordPerception | EndTurn | HoldTurn | Hush

/** A turn takes what waits in its channel, and all that fell due; one that takes nothing is a greeting. */
const beginTurn = ({ talk, plans, life, days }: Persona, { channel, upTo }: BeginTurn): Decision => {
  if (days.sleeping !== null) return refuse({ code: 'asleep' })
  if (talk.turn) return refuse({ code: 'turn_over' })
  const inbox = talk.inboxes[inboxKey(channel)]
  const after = inbox?.consumed ?? 0
  const taken = Math.max(after, Math.min(upTo, inbox?.heard ?? 0))
  const others = dueInTurns(talk)
  const due = plans.due.flatMap(({ id }) => (others.has(id) ? [] : id))
  // What was heard since its agent looked ends a greeting: it looks anew.
  if (taken === after && due.length === 0 && talk.greeting !== 'asked')
    return refuse({ code: 'nothing_waits' })
  return accept({ type: 'TurnBegan', life: life.life, channel, stimuli: { after, upTo: taken, due } })
}

const recordAnswer = (persona: Persona, command: RecordAnswer): Decision => {
  if (command.step <= (persona.talk.turn?.step ?? 0)) return refuse({ code: 'recorded_already' })
  const { turn, step, used, answer, part, opaque, borrowed } = command
  const words = aloud(answer.text)
  const channel = persona.talk.turn?.channel ?? null
  const events: PersonaEvent[] = [
    {
      ...{ type: 'ModelAnswered', turn, step, ...used, ...(opaque && { opaque }) },
      ...{ answer: part === null ? answer : { part }, cause: 'turn' },
    },
    ...marksOf(persona, [{ used }]),
  ]
  events.push(...spoken({ turn, step, channel }, words || null, borrowed))
  if (words && answer.calls.length === 0) events.push(...ending(persona, turn, 'answered', null))
  return accept(...events)
}

/**
 * What is said is bounded, what was answered is kept whole: a mind that repeats itself for ever fills no
 * commit.
 */
const longestWords = 100_000
const aloud = (text: string): string => {
  const words = text.trim()
  return words.length > longestWords
    ? `${words.slice(0, longestWords).toWellFormed()}\n\n[I broke off here: this was getting too long.]`
    : words
}

/** A file is described once: what is shown of it later is what was perceived first. */
const recordPerception = (
  persona: Persona,
  { turn, perceived, words, calls }: RecordPerception,
): Decision => {
  if (persona.talk.turn?.answered.includes(perceivedMark(perceived.message)))
    return refuse({ code: 'recorded_already' })
  const channel = persona.talk.turn?.channel ?? null
  return accept(
    ...callFacts(persona, calls, { turn, step: null, cause: 'perception' }),
    { type: 'MediaDescribed', turn, ...perceived },
    // The name of a file, or what its organ failed with.
    ...spoken({ turn, step: null, channel }, words, 'all'),
  )
}

const endTurn = (persona: Persona, { turn, outcome, reason, words, failed }: EndTurn): Decision => {
  const taken = persona.talk.turn?.stimuli.due ?? []
  const due = persona.plans.due.filter(({ id }) => taken.includes(id))
  const channel = persona.talk.turn?.channel ?? null
  const step = (persona.talk.turn?.step ?? 0) + 1
  const calls = failed ? callFacts(persona, [{ failed }], { turn, step, cause: 'turn' }) : []
  return accept(
    // What the Mind failed with, or a plan made of words of others.
    ...spoken({ turn, step: null, channel }, words, failed ? 'all' : othersIn(due)),
    ...ending(persona, turn, outcome, reason),
    ...calls,
  )
}

const holdTurn = (persona: Persona, { turn, words, failed }: HoldTurn): Decision => {
  const { channel = null, step = 0 } = persona.talk.turn ?? {}
  return accept(
    ...notice(channel, words),
    ...callFacts(persona, [{ failed }], { turn, step: step + 1, cause: 'turn' }),
  )
}

/** What fell due is done with once a turn about it has ended, unless the turn could not reach the Mind. */
const ending = (
  { talk, plans }: Persona,
  turn: number,
  outcome: Outcome,
  reason: string | null,
): readonly PersonaEvent[] => [
  { type: 'TurnEnded', turn, outcome, reason },
  ...(outcome === 'unreachable' ? [] : done(talk.turn?.stimuli.due ?? [], plans.due)),
]

/** Where none is in progress, those end that wait for the person's word. */
const hush = ({ talk, plans }: Persona, { said }: Hush): Decision => {
  const { turn, parked } = talk
  if (!turn)
    return accept(
      ...withdrawn(parked),
      ...parked.flatMap(({ id, stimuli }): PersonaEvent[] => [
        { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null },
        ...done(stimuli.due, plans.due),
      ]),
    )
  const words = said?.turn === turn.id && said.step > turn.step ? said.text.trim() : ''
  const { id, channel, stimuli } = turn
  const cut = spoken({ turn: id, step: said?.step ?? null, channel }, words || null, 'all')
  return accept(
    ...cut,
    { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null },
    ...done(stimuli.due, plans.due),
  )
}

export const turnRules: Rules<TurnCommand> = {
  BeginTurn: beginTurn,
  RecordAnswer: recordAnswer,
  RecordPerception: recordPerception,
  EndTurn: endTurn,
  HoldTurn: holdTurn,
  Hush: hush,
}
