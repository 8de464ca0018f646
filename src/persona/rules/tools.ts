/** The rules of tools: what they answered, and the facts that are their effect. */
import type { Call, Channel, Media } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { type CancelEntry, calendarRules, type WriteEntry } from './calendar.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, type OfTurn, type OrganCall } from './life.ts'
import {
  type ForgetMemory,
  type KeepMemory,
  type LearnInstruction,
  memoryRules,
  type RemoveInstruction,
  type ReviseInstruction,
  type ReviseMemory,
} from './memory.ts'

/** A tool began whose effect is outside the journal. `of`: whose it is, where it is one of a server. */
interface RecordCall extends OfTurn {
  readonly type: 'RecordCall'
  readonly step: number
  readonly call: Call
  readonly of: EventOf<'ToolCalled'>['of']
}

/** A tool's answer, with the facts that are its effect: in one commit. */
interface RecordToolAnswer extends OfTurn {
  readonly type: 'RecordToolAnswer'
  readonly step: number
  readonly call: Call
  readonly of: EventOf<'ToolCalled'>['of']
  readonly began: boolean
  readonly effect: readonly Effect[]
  /** The organs it asked. */
  readonly calls: readonly OrganCall[]
  readonly ok: boolean
  readonly output: unknown
}

/**
 * Says something in the turn in progress, or shows a file that was made in it: where the turn belongs, or on
 * another channel.
 */
interface Say {
  readonly type: 'Say'
  readonly channel?: Channel
  readonly content: string
  readonly media: Media | null
  /** Words of others in it that the user did not say. */
  readonly borrowed?: readonly string[]
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

export type ToolCommand = RecordCall | RecordToolAnswer | Say

const toolCalled = ({ turn, step, call, of }: RecordCall | RecordToolAnswer): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step,
  call: call.id,
  name: call.name,
  input: call.input,
  of,
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
  return accept(...called, ...asked, ...facts, {
    type: 'ToolAnswered',
    turn,
    step,
    call: call.id,
    name: call.name,
    ok,
    output,
  })
}

/** It belongs to the step whose tools are at work. */
const say = ({ talk: { turn } }: Persona, { channel, content, media, borrowed = [] }: Say): Decision => {
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

const effects: Rules<Effect> = { ...memoryRules, ...calendarRules, Say: say }

export const toolRules: Rules<ToolCommand> = {
  RecordCall: (_, command) => accept(toolCalled(command)),
  RecordToolAnswer: recordToolAnswer,
  Say: say,
}
