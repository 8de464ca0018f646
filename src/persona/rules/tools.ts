/** Rules of tools: their answers and the facts that are their effect. */
import type { Call, Channel, Media } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { type CancelEntry, calendarRules, type MoveEntry, type WriteEntry } from './calendar.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfTurn } from './lifecycle.ts'
import { mailRules, type ShowMails } from './mail.ts'
import {
  type ForgetMemory,
  type KeepMemory,
  type LearnInstruction,
  memoryRules,
  type RemoveInstruction,
  type ReviseInstruction,
  type ReviseMemory,
} from './memory.ts'
import { callFacts, type OrganCall } from './organ-health.ts'

/** A tool with an effect outside the journal began. `of`: its server, if any. */
interface RecordCall extends OfTurn {
  readonly type: 'RecordCall'
  readonly step: number
  readonly call: Call
  readonly of: EventOf<'ToolCalled'>['of']
}

/** Recorded in one commit with the effect. */
interface RecordToolAnswer extends OfTurn {
  readonly type: 'RecordToolAnswer'
  readonly step: number
  readonly call: Call
  readonly of: EventOf<'ToolCalled'>['of']
  readonly began: boolean
  readonly effect: readonly Effect[]
  /** Calls of organs by the tool. */
  readonly calls: readonly OrganCall[]
  readonly ok: boolean
  readonly output: unknown
}

/** Sends a message or file in the current turn. Default channel: that of the turn. */
interface SayCommand {
  readonly type: 'Say'
  readonly channel?: Channel
  readonly content: string
  readonly media: Media | null
  /** Words of others in it that the user did not say. */
  readonly borrowed?: readonly string[]
}

/** A search of the web in the current step. `found`: number of results, null if it failed. */
export interface RecordSearch extends Omit<EventOf<'WebSearched'>, 'type' | 'turn' | 'step'> {
  readonly type: 'RecordSearch'
}

/** The commands available to tools. */
export type Effect =
  | KeepMemory
  | ReviseMemory
  | ForgetMemory
  | LearnInstruction
  | ReviseInstruction
  | RemoveInstruction
  | WriteEntry
  | MoveEntry
  | CancelEntry
  | ShowMails
  | SayCommand
  | RecordSearch

export type ToolCommand = RecordCall | RecordToolAnswer | SayCommand | RecordSearch

const toolCalled = ({ turn, step, call, of }: RecordCall | RecordToolAnswer): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step,
  call: call.id,
  name: call.name,
  input: call.input,
  of,
})

/** Refused as a whole if one effect is refused. */
const recordToolAnswer = (persona: Persona, command: RecordToolAnswer): Decision => {
  const { turn, step, call, began, effect, calls, ok, output } = command
  if (persona.talk.turn?.answered.includes(call.id)) return refuse({ code: 'recorded_already' })
  const facts: PersonaEvent[] = []
  for (const change of effect) {
    // Each rule takes the command of its own type.
    const decision = effects[change.type](persona, change as never)
    if ('refused' in decision) return decision
    facts.push(...decision.events)
  }
  const calledEvents = began ? [] : [toolCalled(command)]
  const callEvents = callFacts(persona, calls, { turn, step, cause: 'tool' })
  return accept(...calledEvents, ...callEvents, ...facts, {
    type: 'ToolAnswered',
    turn,
    step,
    call: call.id,
    name: call.name,
    ok,
    output,
  })
}

/** Belongs to the step whose tools are running. */
const decideSay = (
  { talk: { turn } }: Persona,
  { channel, content, media, borrowed = [] }: SayCommand,
): Decision => {
  if (!turn) return refuse({ code: 'turn_over' })
  return accept({
    type: 'MessageSpoken',
    turn: turn.id,
    step: turn.step,
    channel: channel ?? turn.channel,
    content,
    media,
    asks: null,
    ...(borrowed.length > 0 && { borrowed }),
  })
}

const recordSearch = ({ talk: { turn } }: Persona, { type: _, ...search }: RecordSearch): Decision =>
  turn
    ? accept({ type: 'WebSearched', turn: turn.id, step: turn.step, ...search })
    : refuse({ code: 'turn_over' })

const effects: Rules<Effect> = {
  ...memoryRules,
  ...calendarRules,
  ...mailRules,
  Say: decideSay,
  RecordSearch: recordSearch,
}

export const toolRules: Rules<ToolCommand> = {
  RecordCall: (_, command) => accept(toolCalled(command)),
  RecordToolAnswer: recordToolAnswer,
  Say: decideSay,
  RecordSearch: recordSearch,
}
