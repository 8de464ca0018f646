/** Rules of responses of the OpenAI-compatible API. */
import type { EventOf } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'
import { createExchange, type RecordExchange } from './talk.ts'

export type BegunResponse = Omit<EventOf<'ResponseBegan'>, 'type'>
export type EndedResponse = Omit<EventOf<'ResponseEnded'>, 'type'>

/** A response in the background. */
interface BeginResponse {
  readonly type: 'BeginResponse'
  readonly response: BegunResponse
}

/** A response whose client waited for it. */
interface KeepResponse {
  readonly type: 'KeepResponse'
  readonly response: BegunResponse
  readonly ended: EndedResponse
}

/**
 * Ends a response in the background. `said`: the messages to remember, in the same commit, so that a crash
 * does not repeat them.
 */
interface EndResponse extends OfLife {
  readonly type: 'EndResponse'
  readonly ended: EndedResponse
  readonly said: RecordExchange['said']
}

interface CancelResponse {
  readonly type: 'CancelResponse'
  readonly id: string
}

export type ResponseCommand = BeginResponse | KeepResponse | EndResponse | CancelResponse

/** Responses in the background that have not ended. */
const maxOpen = 100

const begin = ({ responses }: Persona, { response }: BeginResponse): Decision =>
  responses.length < maxOpen
    ? accept({ type: 'ResponseBegan', ...response })
    : refuse({ code: 'too_many', what: 'responses in the background', most: maxOpen })

const keep = (_: Persona, { response, ended }: KeepResponse): Decision =>
  accept({ type: 'ResponseBegan', ...response }, toFact(ended))

/** A response that was cancelled meanwhile keeps that end. */
const end = (persona: Persona, { ended, said }: EndResponse): Decision =>
  isOpen(persona, ended.id) ? accept(...(said ? createExchange(said) : []), toFact(ended)) : accept()

const cancel = (persona: Persona, { id }: CancelResponse): Decision =>
  isOpen(persona, id) ? accept({ type: 'ResponseEnded', ...emptyEnd, id, status: 'cancelled' }) : accept()

const isOpen = ({ responses }: Persona, id: string): boolean =>
  responses.some((response) => response.id === id)

/** Max UTF-16 units of a stored answer, so that it fits into one commit together with its request. */
const maxTextUnits = 60_000

const toFact = (ended: EndedResponse): EventOf<'ResponseEnded'> => {
  const text = ended.text.slice(0, maxTextUnits).replace(/[\uD800-\uDBFF]$/, '')
  const deltas = text === ended.text ? ended.deltas : []
  return { type: 'ResponseEnded', ...ended, text, deltas }
}

/** The end of a response without an answer. */
export const emptyEnd = { text: '', deltas: [], calls: [], tokens: null, error: null } as const

export const responseRules: Rules<ResponseCommand> = {
  BeginResponse: begin,
  KeepResponse: keep,
  EndResponse: end,
  CancelResponse: cancel,
}
