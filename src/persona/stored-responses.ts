/** Reads responses of the OpenAI-compatible API from the journal. */
import type { PersonaId, ResponseItem, Seq } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { isJournalId } from '../../journal/log/journal-id.ts'
import type { Reading } from './persona-store.ts'

/**
 * `ended`: null until it has ended. `at`: when it began, epoch ms. `lives`: number of times that the persona
 * started meanwhile.
 */
export interface StoredResponse {
  readonly seq: Seq
  readonly at: number
  readonly lives: number
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
  return persona !== undefined && head !== undefined && isJournalId(persona)
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
  let lives = 0
  for await (const entry of readPages(journal, idParts.head)) {
    const { seq, at, type, erased } = entry
    if (!response && seq > idParts.head + maxFactsBefore) return null
    if (type === 'Woke' && response) lives++
    if (type !== 'ResponseBegan' && type !== 'ResponseEnded') continue
    const { event } = entry
    if (!('id' in event) || event.id !== id) continue
    if (erased) return null
    if (event.type === 'ResponseEnded') return response && { ...response, lives, ended: { seq, at, event } }
    if (event.type !== 'ResponseBegan') continue
    const open = persona.responses.find((candidate) => candidate.id === id)
    response = { seq, at, lives: open?.lives ?? 0, began: event, ended: null }
    if (open) return response
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
export const maxChain = 1000

/**
 * `items`: of a response and of those that it continues, oldest first. `bytes`: of their texts.
 * `newItems`: those after the last answer that is part of the conversation.
 */
export interface Chain {
  readonly items: readonly ResponseItem[]
  readonly newItems: readonly ResponseItem[]
  readonly bytes: number
}

/** Returns `unknown` if a response is missing, erased or without an answer. `maxBytes`: of all texts. */
export const readChain = async (
  reading: Reading,
  newestId: string | null,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Chain | 'unknown' | 'too_long' | 'too_large'> => {
  const parts: (readonly ResponseItem[])[] = []
  let bytes = 0
  let newParts: number | null = null
  for (let id = newestId; id !== null; ) {
    if (parts.length >= maxChain) return 'too_long'
    const { began, ended } = (await findResponse(reading, id)) ?? {}
    if (!began?.request || !ended || !hasAnswer(ended.event)) return 'unknown'
    const items = [...began.request.input, ...toItems(ended.event)]
    bytes += countBytes(items)
    if (bytes > maxBytes) return 'too_large'
    // An answer with calls is not complete, so it is not remembered.
    if (began.request.remember && ended.event.calls.length === 0) newParts ??= parts.length
    parts.push(items)
    id = began.previous
  }
  const newItems = parts.slice(0, newParts ?? parts.length)
  return { items: parts.reverse().flat(), newItems: newItems.reverse().flat(), bytes }
}

export const countBytes = (items: readonly ResponseItem[]): number =>
  items.reduce((sum, item) => sum + Buffer.byteLength(getItemText(item)), 0)

export const getItemText = (item: ResponseItem): string => {
  if (item.type === 'message') return item.text
  return item.type === 'call' ? item.arguments : item.output
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
