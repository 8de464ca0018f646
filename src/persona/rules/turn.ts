/** Rules of turns. */
import type {
  Answer,
  Channel,
  Failed,
  Outcome,
  PromptProfile,
  Seq,
  Used,
} from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { dueInTurns, inboxKey, perceivedMark } from '../../../projections/talk.ts'
import { withdrawApprovals } from './approvals.ts'
import { createDoneEvents, othersIn } from './calendar.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife, OfTurn } from './lifecycle.ts'
import { callFacts, type OrganCall, organMarkFacts, toCallFacts } from './organ-health.ts'
import { createHelp, createMessageSaid, createNotice, type OfferedHelp } from './talk.ts'

interface BeginTurn extends OfLife {
  readonly type: 'BeginTurn'
  readonly channel: Channel | null
  /** Last message it takes, bounded by the Mind's context. The next turn takes the rest. */
  readonly upTo: Seq | 0
  /** Position of the first fact of the talk that its prompt shows. Absent: the same as before. */
  readonly window?: Seq
  /** Facts of the statements that its last message shows. */
  readonly known?: readonly Seq[]
}

/** Records an answer and its text as a message. Without tool calls, the turn ends as `answered`. */
export interface RecordAnswer extends OfTurn {
  readonly type: 'RecordAnswer'
  readonly step: number
  readonly used: Used
  readonly answer: Answer
  /** Hash of a part that holds an answer too long for a fact. */
  readonly part: string | null
  /** Hash of a part that holds data which the model wants back. */
  readonly opaque?: string
  /** Words of others in its text that the user did not say. */
  readonly borrowed: readonly string[]
  /** The same in its tool calls. */
  readonly borrowedInCalls: readonly string[]
  /** Default: full. */
  readonly profile?: PromptProfile
  readonly help?: OfferedHelp | null
}

/** Records the description of a file, or a failure. `notice`: a text for the user about the failure. */
export interface RecordPerception extends OfTurn {
  readonly type: 'RecordPerception'
  readonly perceived: Pick<EventOf<'MediaDescribed'>, 'message' | 'filename' | 'organ' | 'outcome' | 'text'>
  readonly notice: string | null
  readonly calls: readonly OrganCall[]
}

/**
 * `reminders`: due plans that are delivered without a model; `notice`: a text of the daemon if there is no
 * answer; `failed`: the call that ended the turn; `shown`: hidden messages to show again.
 */
export interface EndTurn extends OfTurn {
  readonly type: 'EndTurn'
  readonly outcome: Outcome
  readonly reason: string | null
  readonly reminders: string | null
  readonly notice: string | null
  readonly failed: Failed | null
  readonly shown?: readonly Seq[]
  readonly help?: OfferedHelp | null
}

/**
 * The Mind failed during a turn. The turn continues later from the same step. `notice`: a text for the user.
 */
export interface HoldTurn extends OfTurn {
  readonly type: 'HoldTurn'
  readonly notice: string | null
  readonly failed: Failed
  readonly help?: OfferedHelp | null
}

/** `said`: the text streamed so far; it is kept. */
interface Hush {
  readonly type: 'Hush'
  readonly said: Saying | null
  readonly help?: OfferedHelp | null
}

/** Streamed text of a step that is not yet recorded. */
export interface Saying {
  readonly turn: Seq
  readonly step: number
  readonly text: string
}

export type TurnCommand = BeginTurn | RecordAnswer | RecordPerception | EndTurn | HoldTurn | Hush

/** Takes the waiting messages of the channel and all due plans. A turn that takes nothing is a greeting. */
const beginTurn = (
  { talk, plans, life }: Persona,
  { channel, upTo, window, known = [] }: BeginTurn,
): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  const inbox = talk.inboxes[inboxKey(channel)]
  const consumedSeq = inbox?.consumed ?? 0
  const takenSeq = Math.max(consumedSeq, Math.min(upTo, inbox?.heard ?? 0))
  const otherDueIds = dueInTurns(talk)
  const pendingDueIds = plans.due.flatMap(({ id }) => (otherDueIds.has(id) ? [] : id))
  // A message since the agent's last look cancels the greeting; the agent looks again.
  if (takenSeq === consumedSeq && pendingDueIds.length === 0 && talk.greeting !== 'asked')
    return refuse({ code: 'nothing_waits' })
  return accept({
    type: 'TurnBegan',
    life: life.life,
    channel,
    stimuli: { after: consumedSeq, upTo: takenSeq, due: pendingDueIds },
    ...(window && { window }),
    ...(known.length > 0 && takenSeq > consumedSeq && { known }),
  })
}

const recordAnswer = (persona: Persona, command: RecordAnswer): Decision => {
  if (command.step <= (persona.talk.turn?.step ?? 0)) return refuse({ code: 'recorded_already' })
  const { turn, step, used, answer, part, opaque, borrowed, borrowedInCalls } = command
  const allBorrowed = [...new Set([...borrowed, ...borrowedInCalls])]
  const words = toSpokenText(answer.text)
  const channel = persona.talk.turn?.channel ?? null
  const events: PersonaEvent[] = [
    {
      type: 'ModelAnswered',
      turn,
      step,
      ...used,
      ...(opaque && { opaque }),
      ...(allBorrowed.length > 0 && { borrowed: allBorrowed }),
      ...(command.profile === 'compact' && { profile: 'compact' }),
      answer: part === null ? answer : { part },
      cause: 'turn',
    },
    ...(persona.talk.turn?.otherMind ? [] : organMarkFacts(persona, [{ used }])),
  ]
  const messages = createMessageSaid({ turn, step, channel }, words || null, borrowed)
  events.push(...withPages(persona, withModel(persona, messages)))
  if (words && answer.calls.length === 0)
    events.push(...createHelp(persona, channel, command.help), ...ending(persona, turn, 'answered', null))
  return accept(...events)
}

/** Names the model if it is not the Mind. */
const withModel = (
  { talk: { turn } }: Persona,
  messages: readonly EventOf<'MessageSpoken'>[],
): readonly EventOf<'MessageSpoken'>[] =>
  turn?.otherMind ? messages.map((message) => ({ ...message, model: turn.otherMind?.organ.model })) : messages

/** Names the pages that were read for the answer. */
const withPages = (
  { talk: { turn } }: Persona,
  messages: readonly EventOf<'MessageSpoken'>[],
): readonly EventOf<'MessageSpoken'>[] =>
  turn && turn.pages.length > 0 ? messages.map((message) => ({ ...message, pages: turn.pages })) : messages

/** The message is bounded, the answer is stored whole: a looping model must not overfill a commit. */
const maxSpokenLength = 100_000
const toSpokenText = (text: string): string => {
  const words = text.trim()
  return words.length > maxSpokenLength
    ? `${words.slice(0, maxSpokenLength).toWellFormed()}\n\n[I broke off here: this was getting too long.]`
    : words
}

/** A file is described once. */
const recordPerception = (
  persona: Persona,
  { turn, perceived, notice, calls }: RecordPerception,
): Decision => {
  if (persona.talk.turn?.answered.includes(perceivedMark(perceived.message)))
    return refuse({ code: 'recorded_already' })
  const channel = persona.talk.turn?.channel ?? null
  return accept(
    ...callFacts(persona, calls, { turn, step: null, cause: 'perception' }),
    { type: 'MediaDescribed', turn, ...perceived },
    ...createNotice({ turn, channel }, notice),
  )
}

const endTurn = (persona: Persona, command: EndTurn): Decision => {
  const { turn, outcome, reason, reminders, notice, failed, shown = [] } = command
  const dueIds = persona.talk.turn?.stimuli.due ?? []
  const duePlans = persona.plans.due.filter(({ id }) => dueIds.includes(id))
  const channel = persona.talk.turn?.channel ?? null
  const step = (persona.talk.turn?.step ?? 0) + 1
  const toFacts = persona.talk.turn?.otherMind ? toCallFacts : callFacts
  const calls = failed ? toFacts(persona, [{ failed }], { turn, step, cause: 'turn' }) : []
  const { hidden } = persona.talk
  const shownAgain = shown.filter((seq) => hidden[seq] === 'replaced')
  return accept(
    ...(shownAgain.length > 0 ? [{ type: 'MessagesShown', messages: shownAgain } as const] : []),
    // A plan can contain words of others.
    ...createMessageSaid({ turn, step: null, channel }, reminders, othersIn(duePlans)),
    ...createNotice({ turn, channel }, notice),
    ...createHelp(persona, channel, command.help),
    ...ending(persona, turn, outcome, reason),
    ...calls,
  )
}

const holdTurn = (persona: Persona, { turn, notice, failed, help }: HoldTurn): Decision => {
  const { channel = null, step = 0 } = persona.talk.turn ?? {}
  return accept(
    ...createNotice({ turn: null, channel }, notice),
    ...createHelp(persona, channel, help),
    ...callFacts(persona, [{ failed }], { turn, step: step + 1, cause: 'turn' }),
  )
}

/** Marks due plans as done, unless the Mind was unreachable. */
const ending = (
  { talk, plans }: Persona,
  turn: number,
  outcome: Outcome,
  reason: string | null,
): readonly PersonaEvent[] => [
  { type: 'TurnEnded', turn, outcome, reason },
  ...(outcome === 'unreachable' ? [] : createDoneEvents(talk.turn?.stimuli.due ?? [], plans.due)),
]

/** Without a current turn, ends the turns parked for approvals. */
const hush = (persona: Persona, { said, help }: Hush): Decision => {
  const { talk, plans } = persona
  const { turn, parked } = talk
  if (!turn)
    return accept(
      ...withdrawApprovals(parked),
      ...parked.flatMap(({ id, stimuli }): PersonaEvent[] => [
        { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null },
        ...createDoneEvents(stimuli.due, plans.due),
      ]),
    )
  const words = said?.turn === turn.id && said.step > turn.step ? said.text.trim() : ''
  const { id, channel, stimuli } = turn
  const partialMessages = withModel(
    persona,
    createMessageSaid({ turn: id, step: said?.step ?? null, channel }, words || null, 'all'),
  )
  return accept(
    ...partialMessages,
    ...createHelp(persona, channel, help),
    { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null },
    ...createDoneEvents(stimuli.due, plans.due),
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
