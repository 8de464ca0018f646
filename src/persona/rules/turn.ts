/** The rules of turns: what is heard, and what an agent may write of the turn that answers it. */
import type {
  Answer,
  Call,
  Channel,
  Failed,
  HeardMedia,
  Media,
  MessagePart,
  Outcome,
  Seq,
  Used,
} from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey, perceivedMark } from '../../../projections/talk.ts'
import { type CancelEntry, calendarRules, done, type WriteEntry } from './calendar.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, marksOf, type OfLife, type OrganCall } from './life.ts'
import {
  type ForgetMemory,
  type KeepMemory,
  type LearnInstruction,
  memoryRules,
  type RemoveInstruction,
  type ReviseInstruction,
  type ReviseMemory,
} from './memory.ts'

/** `content`: as somebody wrote it, quotations among it; `parts`: whose words they are, where the channel tells. */
export type Words = { readonly content: string } | { readonly parts: readonly MessagePart[] }

type Hear = Words & {
  readonly type: 'Hear'
  readonly channel: Channel | null
  readonly media: HeardMedia | null
  readonly key: string | null
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

/** Of a turn: refused once the turn has ended too. */
interface OfTurn extends OfLife {
  readonly turn: Seq
}

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
}

/** A file that came with a message was perceived, or could not be: `words` are said for it then, in the daemon's own words. */
export interface RecordPerception extends OfTurn {
  readonly type: 'RecordPerception'
  readonly perceived: Pick<EventOf<'MediaDescribed'>, 'message' | 'filename' | 'organ' | 'outcome' | 'text'>
  readonly words: string | null
  readonly calls: readonly OrganCall[]
}

/** A tool began whose effect is outside the journal. */
interface RecordCall extends OfTurn {
  readonly type: 'RecordCall'
  readonly step: number
  readonly call: Call
}

/** A tool's answer, with the facts that are its effect: in one commit. */
interface RecordToolAnswer extends OfTurn {
  readonly type: 'RecordToolAnswer'
  readonly step: number
  readonly call: Call
  readonly began: boolean
  readonly effect: readonly Effect[]
  /** The organs it asked. */
  readonly calls: readonly OrganCall[]
  readonly ok: boolean
  readonly output: unknown
}

/** Says something in the turn in progress, or shows a file that was made in it: where the turn belongs, or on another channel. */
interface Say {
  readonly type: 'Say'
  readonly channel?: Channel
  readonly content: string
  readonly media: Media | null
}

/** The commands that a tool may give. */
export type Effect =
  | KeepMemory
  | ReviseMemory
  | ForgetMemory
  | LearnInstruction
  | ReviseInstruction
  | RemoveInstruction
  | WriteEntry
  | CancelEntry
  | Say

/** `words` are the daemon's own, said where the Mind gave none; `failed` is the Mind's call that ended it. */
export interface EndTurn extends OfTurn {
  readonly type: 'EndTurn'
  readonly outcome: Outcome
  readonly reason: string | null
  readonly words: string | null
  readonly failed: Failed | null
}

/** The Mind failed in the middle of a turn: what was done in it stays done, and it goes on where it stands once the Mind answers. `words` tell the person, unless they know. */
export interface HoldTurn extends OfTurn {
  readonly type: 'HoldTurn'
  readonly words: string | null
  readonly failed: Failed
}

/** An exchange with a client of the OpenAI-compatible endpoint: what it cost, and where it is to be remembered what was said. */
export interface RecordExchange extends OfLife {
  readonly type: 'RecordExchange'
  readonly calls: readonly OrganCall[]
  readonly said: { readonly heard: string; readonly spoken: string } | null
}

/** What is said to somebody who waits while the Mind is away, or while it is silent in the turn `stalled`. */
interface TellTrouble extends OfLife {
  readonly type: 'TellTrouble'
  readonly channel: Channel
  readonly words: string
  readonly stalled: Seq | null
}

export type TurnCommand =
  | Hear
  | Hush
  | BeginTurn
  | RecordAnswer
  | RecordPerception
  | RecordCall
  | RecordToolAnswer
  | Say
  | EndTurn
  | HoldTurn
  | RecordExchange
  | TellTrouble

/** A message heard before is heard once: the same key writes nothing. */
const hear = ({ talk }: Persona, { channel, media, key, ...words }: Hear): Decision => {
  if (key !== null && talk.keys.includes(key)) return accept()
  const parts = 'parts' in words ? words.parts : partsIn(words.content)
  return accept({ type: 'MessageHeard', channel, parts, media, key })
}

const hush = ({ talk, plans }: Persona, { said }: Hush): Decision => {
  const { turn } = talk
  if (!turn) return accept()
  const words = said?.turn === turn.id && said.step > turn.step ? said.text.trim() : ''
  const { id, channel, stimuli } = turn
  const spoken = words ? [{ type: 'MessageSpoken', turn: id, step: said?.step ?? null, channel, content: words, media: null } as const] : []
  return accept(...spoken, { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null }, ...done(stimuli.due, plans.due))
}

/** A turn takes what waits in its channel, and all that fell due. */
const beginTurn = ({ talk, plans, life, days }: Persona, { channel, upTo }: BeginTurn): Decision => {
  if (days.sleeping !== null) return refuse({ code: 'asleep' })
  if (talk.turn) return refuse({ code: 'turn_over' })
  const inbox = talk.inboxes[inboxKey(channel)]
  const waits = inbox?.oldest != null
  if (!waits && plans.due.length === 0) return refuse({ code: 'nothing_waits' })
  const after = inbox?.consumed ?? 0
  const due = plans.due.map(({ id }) => id)
  return accept({
    type: 'TurnBegan',
    life: life.life,
    channel,
    stimuli: { after, upTo: Math.max(after, Math.min(upTo, inbox?.heard ?? 0)), due },
  })
}

const recordAnswer = (persona: Persona, command: RecordAnswer): Decision => {
  if (command.step <= (persona.talk.turn?.step ?? 0)) return refuse({ code: 'recorded_already' })
  const { turn, step, used, answer, part } = command
  const words = aloud(answer.text)
  const channel = persona.talk.turn?.channel ?? null
  const events: PersonaEvent[] = [
    { type: 'ModelAnswered', turn, step, ...used, answer: part === null ? answer : { part }, cause: 'turn' },
    ...marksOf(persona, [{ used }]),
  ]
  if (words) events.push({ type: 'MessageSpoken', turn, step, channel, content: words, media: null })
  if (words && answer.calls.length === 0) events.push(...ending(persona, turn, 'answered', null))
  return accept(...events)
}

/** What is said is bounded, what was answered is kept whole: a mind that repeats itself for ever fills no commit. */
const longestWords = 100_000
const aloud = (text: string): string => {
  const words = text.trim()
  return words.length > longestWords
    ? `${words.slice(0, longestWords).toWellFormed()}\n\n[I broke off here: this was getting too long.]`
    : words
}

/** A file is described once: what is shown of it later is what was perceived first. */
const recordPerception = (persona: Persona, { turn, perceived, words, calls }: RecordPerception): Decision => {
  if (persona.talk.turn?.answered.includes(perceivedMark(perceived.message))) return refuse({ code: 'recorded_already' })
  const channel = persona.talk.turn?.channel ?? null
  return accept(
    ...callFacts(persona, calls, { turn, step: null, cause: 'perception' }),
    { type: 'MediaDescribed', turn, ...perceived },
    ...(words === null ? [] : [{ type: 'MessageSpoken', turn, step: null, channel, content: words, media: null } as const]),
  )
}

const toolCalled = ({ turn, step, call }: RecordCall | RecordToolAnswer): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step,
  call: call.id,
  name: call.name,
  input: call.input,
})

/** Refused as a whole where a part of its effect is. */
const recordToolAnswer = (persona: Persona, command: RecordToolAnswer): Decision => {
  const { turn, step, call, began, effect, calls, ok, output } = command
  if (persona.talk.turn?.answered.includes(call.id)) return refuse({ code: 'recorded_already' })
  const facts: PersonaEvent[] = []
  for (const change of effect) {
    // Each row takes the command of its own type, which is this one.
    const decision = effects[change.type](persona, change as never)
    if ('refused' in decision) return decision
    facts.push(...decision.events)
  }
  const called = began ? [] : [toolCalled(command)]
  const asked = callFacts(persona, calls, { turn, step, cause: 'tool' })
  return accept(...called, ...asked, ...facts, { type: 'ToolAnswered', turn, step, call: call.id, name: call.name, ok, output })
}

/** It belongs to the step whose tools are at work. */
const say = ({ talk: { turn } }: Persona, { channel, content, media }: Say): Decision => {
  if (!turn) return refuse({ code: 'turn_over' })
  return accept({ type: 'MessageSpoken', turn: turn.id, step: turn.step, channel: channel ?? turn.channel, content, media })
}

const effects: Rules<Effect> = { ...memoryRules, ...calendarRules, Say: say }

const endTurn = (persona: Persona, { turn, outcome, reason, words, failed }: EndTurn): Decision => {
  const channel = persona.talk.turn?.channel ?? null
  const said = words === null ? [] : [{ type: 'MessageSpoken', turn, step: null, channel, content: words, media: null } as const]
  const step = (persona.talk.turn?.step ?? 0) + 1
  const calls = failed ? callFacts(persona, [{ failed }], { turn, step, cause: 'turn' }) : []
  return accept(...said, ...ending(persona, turn, outcome, reason), ...calls)
}

const holdTurn = (persona: Persona, { turn, words, failed }: HoldTurn): Decision => {
  const { channel = null, step = 0 } = persona.talk.turn ?? {}
  const said = words === null ? [] : [notice(channel, words)]
  return accept(...said, ...callFacts(persona, [{ failed }], { turn, step: step + 1, cause: 'turn' }))
}

/** What fell due is done with once a turn about it has ended, unless the turn could not reach the Mind. */
const ending = ({ talk, plans }: Persona, turn: number, outcome: Outcome, reason: string | null): readonly PersonaEvent[] => [
  { type: 'TurnEnded', turn, outcome, reason },
  ...(outcome === 'unreachable' ? [] : done(talk.turn?.stimuli.due ?? [], plans.due)),
]

/** Both halves of an exchange at once: what was asked there waits for no turn. */
const recordExchange = (persona: Persona, { calls, said }: RecordExchange): Decision => {
  const unturned = { turn: null, step: null } as const
  const words = said
    ? ([
        { type: 'MessageHeard', channel: null, parts: [{ from: 'program', by: null, text: said.heard }], media: null, key: null },
        { type: 'MessageSpoken', ...unturned, channel: null, content: said.spoken, media: null },
      ] as const)
    : []
  return accept(...callFacts(persona, calls, { ...unturned, cause: 'api' }), ...words)
}

/** Nobody waits for nothing; what they said waits on. */
const tellTrouble = ({ life, talk }: Persona, { channel, words, stalled }: TellTrouble): Decision => {
  const troubled = life.failed.thinking !== undefined || (stalled !== null && talk.turn?.id === stalled)
  const waits = talk.inboxes[inboxKey(channel)]?.oldest != null
  return troubled && waits ? accept(notice(channel, words)) : accept()
}

/** It belongs to no turn: whatever goes on behind it has not said anything yet. */
const notice = (channel: Channel | null, content: string): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel,
  content,
  media: null,
})

export const turnRules: Rules<TurnCommand> = {
  Hear: hear,
  Hush: hush,
  BeginTurn: beginTurn,
  RecordAnswer: recordAnswer,
  RecordPerception: recordPerception,
  RecordCall: (_, command) => accept(toolCalled(command)),
  RecordToolAnswer: recordToolAnswer,
  Say: say,
  EndTurn: endTurn,
  HoldTurn: holdTurn,
  RecordExchange: recordExchange,
  TellTrouble: tellTrouble,
}
