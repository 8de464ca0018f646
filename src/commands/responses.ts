/** Responses of the OpenAI-compatible API: stored, continued, fetched, cancelled and deleted. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { Refused } from '../persona/refusals.ts'
import type { BegunResponse, EndedResponse } from '../persona/rules/responses.ts'
import {
  type Chain,
  createResponseId,
  findResponse,
  parseResponseId,
  readChain,
  type StoredResponse,
} from '../persona/stored-responses.ts'
import type { CommandDeps } from './command-deps.ts'
import { eraseWords } from './erase.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'log' | 'personas' | 'search'>
type Reads = Pick<Deps, 'personas' | 'agents'>

/** `chain`: of the responses that it continues, or why they cannot be continued. */
export interface ResponsePlace {
  readonly id: string
  readonly chain: Chain | Exclude<Awaited<ReturnType<typeof readChain>>, Chain>
}

/** Chooses an id, and reads the responses that the new one continues. */
export const prepareResponse = (
  { personas, newId }: Pick<CommandDeps, 'personas' | 'newId'>,
  persona: PersonaId,
  previous: string | null,
  maxBytes: number,
): Promise<ResponsePlace> =>
  personas.read(persona, async (reading) => ({
    id: createResponseId(persona, reading.journal.head.seq, newId()),
    chain: await readChain(reading, previous, maxBytes),
  }))

/** Throws Refused (too_many) or JournalUnavailable. */
export const beginResponse = async (
  { personas }: Pick<Deps, 'personas'>,
  persona: PersonaId,
  response: BegunResponse,
): Promise<void> => {
  await personas.execute(persona, { type: 'BeginResponse', response }, 'person')
}

/** Stores a response whose client waited for it. Throws JournalUnavailable or TooLarge. */
export const keepResponse = async (
  { personas }: Pick<Deps, 'personas'>,
  persona: PersonaId,
  response: BegunResponse,
  ended: EndedResponse,
): Promise<void> => {
  await personas.execute(persona, { type: 'KeepResponse', response, ended }, 'person')
}

export interface FoundResponse extends StoredResponse {
  readonly persona: PersonaId
  readonly status: EventOf<'ResponseEnded'>['status'] | 'queued' | 'in_progress'
}

/** Throws Refused: response_unknown. */
export const getResponse = async ({ personas, agents }: Reads, id: string): Promise<FoundResponse> => {
  const persona = parseResponseId(id)?.persona
  if (persona === undefined || !personas.getRow(persona)) throw new Refused({ code: 'response_unknown' })
  const storedResponse = await personas.read(persona, async (reading) => {
    const response = await findResponse(reading, id)
    const open = reading.persona.responses.find((candidate) => candidate.id === id)
    // An open one that a fork or a diary left out is not answered any more.
    return response && { ...response, isLeft: open?.isStopped ?? true }
  })
  if (!storedResponse?.began.request) throw new Refused({ code: 'response_unknown' })
  const { isLeft, ...response } = storedResponse
  const isRunning = agents.getResponses(persona)?.isRunning(id) ?? false
  const openStatus = isRunning ? 'in_progress' : isLeft ? 'failed' : 'queued'
  return { ...response, persona, status: response.ended?.event.status ?? openStatus }
}

/** Does nothing if it has ended. Throws Refused: response_unknown, response_not_background. */
export const cancelResponse = async (deps: Reads, id: string): Promise<FoundResponse> => {
  const response = await getResponse(deps, id)
  if (!response.began.background) throw new Refused({ code: 'response_not_background' })
  if (response.ended) return response
  await deps.personas.execute(response.persona, { type: 'CancelResponse', id }, 'person')
  return getResponse(deps, id)
}

/** Erases its texts. Throws Refused (response_unknown), JournalDamaged or JournalUnavailable. */
export const deleteResponse = async (deps: Deps, id: string): Promise<void> => {
  const { persona, began } = await getResponse(deps, id)
  requireListed(deps.personas, persona)
  if (began.background) await cancelResponse(deps, id)
  const { seq, ended } = await getResponse(deps, id)
  await eraseWords(deps, persona, {
    seqs: [seq, ...(ended ? [ended.seq] : [])],
    also: false,
    diaries: false,
    forks: false,
    preview: false,
  })
}
