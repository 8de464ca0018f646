/** The rules of a life and its turns: what an agent may write. */

import type { Channel } from '../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../journal/facts/facts.ts'
import { isAt, valueAt } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { isPlanned } from '../../projections/plans.ts'
import { inboxKey, perceivedMark } from '../../projections/talk.ts'
import { callFacts } from './call-facts.ts'
import type {
  BeginTurn,
  Command,
  Decision,
  Effect,
  EndTurn,
  HoldTurn,
  RecordAnswer,
  RecordCall,
  RecordExchange,
  RecordPerception,
  RecordToolAnswer,
  TellDue,
  TellTrouble,
} from './commands.ts'
import { beginSleep, closeDays, consolidate, endSleep, feedHistory, ofDays } from './decide-days.ts'
import { accept, refuse } from './decision.ts'
import { marksOf } from './organ-health.ts'
import type { Refusal } from './refusals.ts'

type OfLife = Extract<Command, { life: number }>

/** The fence: what an agent of an earlier life still wants to write is refused. */
export const decideInLife = (persona: Persona, command: OfLife): Decision => {
  const { life } = persona
  if (!life.awake || life.life !== command.life) return refuse({ code: 'life_over' })
  return 'turn' in command ? decideInTurn(persona, command) : decideBetweenTurns(persona, command)
}

const decideBetweenTurns = (persona: Persona, command: Exclude<OfLife, { turn: number }>): Decision => {
  switch (command.type) {
    case 'EndLife':
      return accept({ type: 'Stopped', life: command.life })
    case 'BeginTurn':
      return beginTurn(persona, command)
    case 'TellDue':
      return tellDue(persona, command)
    case 'TellTrouble':
      return tellTrouble(persona, command)
    case 'RecordExchange':
      return recordExchange(persona, command)
    case 'RecordCalls':
      return accept(...callFacts(persona, command.calls, { ...ofDays, cause: command.cause }))
    case 'Consolidate':
      return consolidate(persona, command)
    case 'FeedHistory':
      return feedHistory(persona, command)
    case 'BeginSleep':
      return beginSleep(persona, command)
    case 'CloseDays':
      return closeDays(persona, command)
    case 'EndSleep':
      return endSleep(persona, command)
  }
}

const decideInTurn = (persona: Persona, command: Extract<OfLife, { turn: number }>): Decision => {
  if (persona.talk.turn?.id !== command.turn) return refuse({ code: 'turn_over' })
  switch (command.type) {
    case 'RecordAnswer':
      return recordAnswer(persona, command)
    case 'RecordPerception':
      return recordPerception(persona, command)
    case 'RecordCall':
      return accept(toolCalled(command))
    case 'RecordToolAnswer':
      return recordToolAnswer(persona, command)
    case 'EndTurn':
      return endTurn(persona, command)
    case 'HoldTurn':
      return holdTurn(persona, command)
  }
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

/** What a turn has taken is told by that turn. */
const tellDue = ({ plans, talk }: Persona, { channel, told }: TellDue): Decision =>
  accept(
    ...told
      .filter(({ id }) => plans.due.some((plan) => plan.id === id) && !talk.turn?.stimuli.due.includes(id))
      .flatMap(({ id, words }) => [
        { type: 'MessageSpoken', turn: null, step: null, channel, content: words, media: null } as const,
        { type: 'EntryDone', id } as const,
      ]),
  )

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

const toolCalled = ({ turn, step, call }: RecordCall | RecordToolAnswer): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step,
  call: call.id,
  name: call.name,
  input: call.input,
})

const recordToolAnswer = (persona: Persona, command: RecordToolAnswer): Decision => {
  const { turn, step, call, began, effect, calls, ok, output } = command
  if (persona.talk.turn?.answered.includes(call.id)) return refuse({ code: 'recorded_already' })
  const refused = effect.map((change) => impossible(persona, change)).find((refusal) => refusal !== null)
  if (refused) return refuse(refused)
  const called = began ? [] : [toolCalled(command)]
  const asked = callFacts(persona, calls, { turn, step, cause: 'tool' })
  const { channel } = persona.talk.turn ?? { channel: null }
  const facts = effect.map((change) => factOf(change, { turn, step, channel }))
  return accept(...called, ...asked, ...facts, { type: 'ToolAnswered', turn, step, call: call.id, name: call.name, ok, output })
}

const impossible = ({ knowledge, plans }: Persona, effect: Effect): Refusal | null => {
  switch (effect.type) {
    case 'Revise':
    case 'Forget':
      return valueAt(knowledge.statements, effect.id) ? null : { code: 'statement_unknown', id: effect.id }
    case 'CancelPlan':
      return isPlanned(plans, effect.id) ? null : { code: 'plan_unknown', id: effect.id }
    case 'Relearn':
    case 'Unlearn':
      return isAt(knowledge.instructions, effect.id) ? null : { code: 'instruction_unknown', id: effect.id }
    default:
      return null
  }
}

const factOf = (effect: Effect, place: Pick<EventOf<'MessageSpoken'>, 'turn' | 'step' | 'channel'>): PersonaEvent => {
  switch (effect.type) {
    case 'Keep': {
      const { id, document, text, sources } = effect
      return { type: 'MemoryKept', id, document, text, sources: [...sources], origin: 'persona' }
    }
    case 'Revise':
      return { type: 'MemoryRevised', id: effect.id, text: effect.text, sources: [...effect.sources], origin: 'persona' }
    case 'Forget':
      return { type: 'MemoryForgotten', id: effect.id, why: null }
    case 'Plan': {
      const { id, kind, wall, zone, content, recurrence, anchor } = effect
      return { type: 'EntryPlanned', id, kind, wall, zone, content, recurrence, anchor }
    }
    case 'CancelPlan':
      return { type: 'EntryCancelled', id: effect.id }
    case 'Tell':
      return { type: 'MessageSpoken', ...place, channel: effect.channel, content: effect.content, media: null }
    case 'Show':
      return { type: 'MessageSpoken', ...place, content: effect.content, media: effect.media }
    case 'Learn':
      return { type: 'InstructionLearned', id: effect.id, intention: effect.intention, body: effect.body }
    case 'Relearn':
      return { type: 'InstructionRevised', id: effect.id, body: effect.body }
    case 'Unlearn':
      return { type: 'InstructionRemoved', id: effect.id }
  }
}

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

/** What fell due is done with once a turn about it has ended, unless the turn could not reach her Mind. */
const ending = ({ talk, plans }: Persona, turn: number, outcome: EndTurn['outcome'], reason: string | null): readonly PersonaEvent[] => [
  { type: 'TurnEnded', turn, outcome, reason },
  ...(outcome === 'unreachable' ? [] : done(talk.turn?.stimuli.due ?? [], plans.due)),
]

export const done = (taken: readonly string[], due: Persona['plans']['due']): readonly PersonaEvent[] =>
  taken.filter((id) => due.some((plan) => plan.id === id)).map((id) => ({ type: 'EntryDone', id }))
