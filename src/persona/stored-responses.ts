/** Reads responses of the OpenAI-compatible API from the journal. */
import type { PersonaId, ResponseItem, Seq } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { isPersonaId } from '../../journal/log/persona-id.ts'
import type { Reading } from './persona-store.ts'

/** `ended`: null until it has ended. `at`: when it began, epoch ms. */
export interface StoredResponse {
  readonly seq: Seq
  readonly at: number
  readonly began: EventOf<'ResponseBegan'>
  readonly ended: { readonly seq: Seq; readonly at: number; readonly event: EventOf<'ResponseEnded'> } | null
}

/**
 * An id contains the persona and the head of its journal when the request came, so no index is needed to find
 * the response.
 */
export const createResponseId = (persona: PersonaId, head: Seq, random: string): string =>
  `resp_${persona}_${head.toString(36)}_${random.replace(/[^0-9a-f]/g, '').slice(-16)}`

interface ResponseIdParts {
  readonly persona: PersonaId
  /** The response begins after it. */
  readonly head: Seq
}

/** Returns null if no response can have this id. */
export const parseResponseId = (id: string): ResponseIdParts | null => {
  const [, persona, head] = /^resp_(.{1,64})_([0-9a-z]{1,10})_[0-9a-f]{1,16}$/.exec(id) ?? []
  return persona !== undefined && head !== undefined && isPersonaId(persona)
    ? { persona, head: Number.parseInt(head, 36) }
    : null
}

/** Max facts that are searched for the beginning of a response. So many never come while one is answered. */
const maxFactsBefore = 20_000

/** Returns null if the response was never stored, or if it was erased. */
export const findResponse = async (
  { journal, persona }: Reading,
  id: string,
): Promise<StoredResponse | null> => {
  const idParts = parseResponseId(id)
  if (!idParts || idParts.head > journal.head.seq) return null
  let response: StoredResponse | null = null
  for await (const entry of readPages(journal, idParts.head)) {
    const { seq, at, type, erased } = entry
    if (!response && seq > idParts.head + maxFactsBefore) return null
    if (type !== 'ResponseBegan' && type !== 'ResponseEnded') continue
    const { event } = entry
    if (!('id' in event) || event.id !== id) continue
    if (erased) return null
    if (event.type === 'ResponseEnded') return response && { ...response, ended: { seq, at, event } }
    if (event.type !== 'ResponseBegan') continue
    response = { seq, at, began: event, ended: null }
    if (persona.responses.some((open) => open.id === id)) return response
  }
  return response
}

/**
 * Yields the facts after a position in pages that grow: a response mostly begins and ends within a few facts.
 * Measured: a chain of 300 responses is continued in 0.18 s, instead of 0.59 s with pages of one size.
 */
async function* readPages(journal: Journal, afterSeq: Seq | 0): AsyncGenerator<Entry> {
  const last = journal.head.seq
  for (let from = afterSeq, size = 32; from < last; from += size, size *= 8)
    yield* journal.read({ after: from, upTo: Math.min(from + size, last) })
}

/** Max responses that one request continues. */
const maxChain = 1000

/**
 * Returns the items of a response and of those that it continues, oldest first. Returns null if one of them
 * is missing, erased or without an answer.
 */
export const readChain = async (
  reading: Reading,
  newestId: string | null,
): Promise<readonly ResponseItem[] | null> => {
  const parts: (readonly ResponseItem[])[] = []
  for (let id = newestId; id !== null; ) {
    const response = parts.length < maxChain ? await findResponse(reading, id) : null
    const { began, ended } = response ?? {}
    if (!began?.request || !ended || !hasAnswer(ended.event)) return null
    parts.push([...began.request.input, ...toItems(ended.event)])
    id = began.previous
  }
  return parts.reverse().flat()
}

const hasAnswer = ({ status }: EventOf<'ResponseEnded'>): boolean =>
  status === 'completed' || status === 'incomplete'

/** Returns the items of an answer, in the order of its output. */
export const toItems = ({
  text,
  calls,
}: Pick<EventOf<'ResponseEnded'>, 'text' | 'calls'>): readonly ResponseItem[] => [
  ...(text ? [{ type: 'message', role: 'assistant', text } as const] : []),
  ...calls.map(
    ({ id, name, arguments: input }) => ({ type: 'call', call: id, name, arguments: input }) as const,
  ),
]
