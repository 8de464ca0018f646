/** Routes of responses, the newer format of the OpenAI-compatible API. */
import type { Response } from 'express'
import * as z from 'zod'
import type { ResponseItem } from '../../../facts/fact-values.ts'
import { maxCommitBytes, TooLarge } from '../../../journal/log/errors.ts'
import { toEnded, toExchange } from '../../agents/response-exchange.ts'
import {
  beginResponse,
  cancelResponse,
  deleteResponse,
  type FoundResponse,
  getResponse,
  keepResponse,
  prepareResponse,
} from '../../commands/responses.ts'
import type { Attachments } from '../../mind/prompt/caller-prompt.ts'
import { type EndedResponse, emptyEnd } from '../../persona/rules/responses.ts'
import { countBytes, findResponse, maxChain, toItems } from '../../persona/stored-responses.ts'
import { getProblem, toSentence } from '../problems.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import type { CutUrls } from '../server/data-urls.ts'
import { openEventStream } from '../server/event-stream.ts'
import { largeBody } from '../server/json-body.ts'
import { findModel } from '../v1/persona-models.ts'
import { askPersona, passToHost } from '../v1/persona-request.ts'
import { createResponseEvents, ResponseEvent, splitText } from '../v1/response-events.ts'
import {
  DeletedResponse,
  InputItemList,
  parseItemId,
  type ResponseBase,
  ResponseObject,
  toInputItem,
  toResponse,
} from '../v1/response-object.ts'
import {
  CreateResponse,
  checkParameters,
  checkRemembered,
  markAttachments,
  type ReadInput,
  readInput,
  refuseParameter,
  refuseTalk,
  toRequest,
} from '../v1/response-request.ts'
import { type ReadParts, withParts } from '../v1/sent-files.ts'

const path = '/v1/responses'

export const createResponseRoute = route({
  method: 'post',
  path,
  summary: 'Ask a persona for a response that can be continued',
  description:
    'For any client of OpenAI’s Responses API. A field that would change the answer and is not supported is refused by its name.',
  tag: 'OpenAI',
  body: CreateResponse,
  limit: ({ chat }) => chat,
  cutsUrls: true,
  reply: ResponseObject,
  events: ResponseEvent,
  refuses: [
    'body_too_large',
    'model_not_found',
    'parameter_refused',
    'file_refused',
    'picture_refused',
    'too_many',
    'spent',
    'life_over',
    'model_failed',
    'cut_short',
    'journal_unavailable',
  ],
  handle:
    (deps) =>
    async ({ body, request: httpRequest, response }) => {
      const { clock, closing, config } = deps
      const largeRequest = largeBody(httpRequest)
      const cutUrls: CutUrls = largeRequest?.urls ?? new Map()
      checkParameters(body)
      const { id: persona } = await findModel(deps, body.model)
      if (await passToHost(deps, persona, { request: httpRequest, response, cutUrls })) return alreadySent
      const { items, parts: sentParts } = await readInput(body.input, cutUrls, (ids) =>
        findItems(deps, persona, ids),
      )
      const previous = body.previous_response_id ?? null
      const { id, chain } = await prepareResponse(deps, persona, previous, config.limits.json)
      if (chain === 'too_large') throw refuseTalk(config.limits.json)
      if (typeof chain === 'string') throw refuseParameter('previous_response_id', chainRefusals[chain])
      const { items: earlierItems, newItems, bytes: earlierBytes } = chain
      const request = toRequest(body, { items, earlierBytes }, config.limits)
      checkRemembered(body, [...newItems, ...items])
      const background = body.background === true
      const base: ResponseBase = {
        id,
        persona,
        at: clock.now(),
        previous,
        background,
        isStored: body.store !== false,
        request,
      }
      if (background) {
        if (sentParts.length > 0)
          throw refuseParameter('background', 'A response in the background has no pictures and files.')
        await beginResponse(deps, persona, { id, previous, background, request })
        const begunResponse = await getResponse(deps, id)
        if (!body.stream) return toStoredResponse(begunResponse)
        await streamStored(deps, response, begunResponse, -1)
        return alreadySent
      }
      const answer = async (signal: AbortSignal, parts: ReadParts) => {
        largeRequest?.forgetUrls()
        const attachments = groupByItem(sentParts, parts)
        const ask = async (onWords: (delta: string) => void): Promise<EndedResponse> => {
          const deltas: string[] = []
          const result = await askPersona(deps, persona, {
            ...toExchange({ earlierItems, request, attachments }),
            onWords: (delta) => {
              deltas.push(delta)
              onWords(delta)
            },
            disconnectSignal: signal,
            pictureBytes: parts.bytes,
          })
          const ended = toEnded(id, result, deltas)
          const storedRequest = { id, previous, background, request: markAttachments(request, attachments) }
          if (base.isStored)
            await keepResponse(deps, persona, storedRequest, ended).catch((error: unknown) => {
              throw error instanceof TooLarge ? refuseStored(maxCommitBytes) : error
            })
          return ended
        }
        if (!body.stream) return toEndedResponse(base, await ask(() => {}), clock.now())
        await stream(deps, response, base, ask)
        return alreadySent
      }
      return withAbortSignal(response, closing, (signal) =>
        withParts(sentParts, { ...deps, cut: cutUrls, signal }, (parts) => answer(signal, parts)),
      )
    },
})

/** Returns the pictures and files by the position of their item. */
const groupByItem = (sentParts: ReadInput['parts'], parts: ReadParts): ReadonlyMap<number, Attachments> => {
  const items = sentParts.map(({ item }) => item)
  return new Map(items.map((item) => [item, parts.slice(items.indexOf(item), items.lastIndexOf(item) + 1)]))
}

const refuseStored = (most: number): HttpRefused =>
  new HttpRefused({
    code: 'body_too_large',
    what: 'request with its answer (send "store": false, or a part)',
    most,
  })

const chainRefusals = {
  unknown: 'The persona has no stored response with this id.',
  too_long: `The response continues more than ${maxChain} others. Send the items themselves.`,
} as const

/** Finds items of stored responses of the persona. Reads each response once. Throws body_too_large. */
const findItems = async (
  { personas, config }: RouteDeps,
  persona: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ResponseItem>> => {
  const foundItems = new Map<string, ResponseItem>()
  const placesByResponse = new Map<string, { id: string; isInput: boolean; index: number }[]>()
  for (const id of ids) {
    const place = parseItemId(id)
    if (!place) continue
    const { responseId, ...placeInside } = place
    const places = placesByResponse.get(responseId) ?? []
    placesByResponse.set(responseId, places)
    places.push({ id, ...placeInside })
  }
  let bytes = 0
  for (const [responseId, places] of placesByResponse) {
    const response = await personas.read(persona, (reading) => findResponse(reading, responseId))
    for (const { id, isInput, index } of places) {
      const items = isInput
        ? response?.began.request?.input
        : response?.ended && toItems(response.ended.event)
      const item = items?.[index]
      if (!item) continue
      bytes += countBytes([item])
      if (bytes > config.limits.json) throw refuseTalk(config.limits.json)
      foundItems.set(id, item)
    }
  }
  return foundItems
}

const toEndedResponse = (base: ResponseBase, ended: EndedResponse, endedAt: number) =>
  toResponse(base, { status: ended.status, ended, endedAt })

const toBase = ({ began, at, persona }: FoundResponse): ResponseBase | null =>
  began.request && { ...began, request: began.request, persona, at, isStored: true }

const toStoredResponse = (response: FoundResponse) => {
  const base = toBase(response)
  if (!base) throw new Error('an erased response has no request')
  const { status, ended } = response
  return toResponse(base, { status, ended: ended?.event, endedAt: ended?.at })
}

/** Before the first byte, errors get their own status. After it, the response fails. */
const stream = async (
  { clock, log }: RouteDeps,
  response: Response,
  base: ResponseBase,
  ask: (onWords: (delta: string) => void) => Promise<EndedResponse>,
): Promise<void> => {
  const events = createResponseEvents((event) => eventStream.send(event, event.type))
  const eventStream = openEventStream(response, clock, () =>
    events.begin(toResponse(base, { status: 'in_progress' })),
  )
  const begin = () => {
    if (!eventStream.begun) eventStream.begin()
  }
  try {
    const ended = await ask((delta) => {
      begin()
      events.words(delta)
    })
    begin()
    events.end(toEndedResponse(base, ended, clock.now()))
    eventStream.send('[DONE]')
  } catch (error) {
    if (!eventStream.begun) throw error
    const problem = getProblem(error)
    if (problem.status >= 500 && problem.code !== 'cut_short')
      log.error({ err: error, status: problem.status, route: `POST ${path}` }, 'an event stream failed')
    const message = toSentence(problem.detail)
    const ended = {
      ...emptyEnd,
      id: base.id,
      status: 'failed',
      error: { code: problem.code, message },
    } as const
    events.end(toResponse(base, { status: 'failed', ended }))
    eventStream.send('[DONE]')
  } finally {
    eventStream.end()
  }
}

/** Sends the events after a number, and those that follow. Without a last event if the persona stops. */
const streamStored = async (
  deps: RouteDeps,
  response: Response,
  storedResponse: FoundResponse,
  startingAfter: number,
): Promise<void> => {
  const { agents, clock, closing } = deps
  const base = toBase(storedResponse)
  if (!base) return
  const { persona } = storedResponse
  const { id } = base
  const events = createResponseEvents((event) => {
    if (event.sequence_number > startingAfter) eventStream.send(event, event.type)
  }, startingAfter + 1)
  const eventStream = openEventStream(response, clock, () => {})
  try {
    await withAbortSignal(response, closing, async (signal) => {
      eventStream.begin()
      events.begin(toResponse(base, { status: 'in_progress' }))
      events.skipTo(storedResponse.lives * maxEventsPerLife)
      let newestState = storedResponse
      let isSent = false
      if (!newestState.ended) {
        isSent = await watchUntilEnd(agents.getResponses(persona), id, events.words, signal)
        newestState = await getResponse(deps, id)
        if (!newestState.ended) return
      }
      if (!isSent) sendWords(newestState)
      events.end(toStoredResponse(newestState))
      eventStream.send('[DONE]')
    })
  } catch (error) {
    // The response is stored or is still being answered, so the client can resume the stream.
    if (!eventStream.begun) throw error
  } finally {
    eventStream.end()
  }

  /** Sends the whole text again if the stored pieces are not those that the client received. */
  function sendWords(ended: FoundResponse) {
    const { text = '', deltas = [] } = ended.ended?.event ?? {}
    const isExact = text === '' || deltas.length > 0
    const pieces = isExact ? splitText(text, deltas) : [text]
    events.skipTo(ended.lives * maxEventsPerLife)
    if (startingAfter > 1 && (!isExact || getLastNumber(ended, pieces) < startingAfter))
      events.skipTo(startingAfter + 1)
    for (const piece of pieces) events.words(piece)
  }
}

/** After a restart, the text is generated again. Its events have higher numbers than those before. */
const maxEventsPerLife = 1_000_000

/** Returns the number of the last event of a response that has ended. */
const getLastNumber = (ended: FoundResponse, pieces: readonly string[]): number => {
  let lastNumber = 0
  const events = createResponseEvents((event) => {
    lastNumber = event.sequence_number
  })
  const response = toStoredResponse(ended)
  events.begin(response)
  events.skipTo(ended.lives * maxEventsPerLife)
  for (const piece of pieces) events.words(piece)
  events.end(response)
  return lastNumber
}

/** Returns false if it is not being answered. */
const watchUntilEnd = async (
  responses: ReturnType<RouteDeps['agents']['getResponses']>,
  id: string,
  onWords: (delta: string) => void,
  signal: AbortSignal,
): Promise<boolean> => {
  let unwatch: (() => void) | null | undefined
  const end = new Promise<void>((resolve) => {
    unwatch = responses?.watch(id, { onWords, onEnd: resolve })
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  if (!unwatch) return false
  await end
  unwatch()
  signal.throwIfAborted()
  return true
}

const byId = `${path}/{response_id}` as const

export const getResponseRoute = route({
  method: 'get',
  path: byId,
  summary: 'A stored response',
  description: 'With `stream=true` its events, also those of a response that is still being answered.',
  tag: 'OpenAI',
  query: z.object({
    stream: z.boolean().optional(),
    starting_after: z.int().min(0).optional().describe('Only events after this number.'),
  }),
  reply: ResponseObject,
  events: ResponseEvent,
  refuses: ['response_unknown'],
  handle:
    (deps) =>
    async ({ params: { response_id: id }, query, response }) => {
      const storedResponse = await getResponse(deps, id)
      if (!query.stream) return toStoredResponse(storedResponse)
      await streamStored(deps, response, storedResponse, query.starting_after ?? -1)
      return alreadySent
    },
})

export const deleteResponseRoute = route({
  method: 'delete',
  path: byId,
  summary: 'Delete a stored response',
  description:
    'Its texts are erased from the journal. A message and an answer that were remembered with `store` stay in the conversation.',
  tag: 'OpenAI',
  reply: DeletedResponse,
  refuses: ['response_unknown', 'journal_damaged', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { response_id: id } }) => {
      await deleteResponse(deps, id)
      return { id, object: 'response.deleted' as const, deleted: true as const }
    },
})

export const responseInputRoute = route({
  method: 'get',
  path: `${byId}/input_items`,
  summary: 'The input items of a stored response',
  description: 'Without the items of the responses that it continues.',
  tag: 'OpenAI',
  query: z.object({
    after: z.string().optional().describe('The id of the last item of the previous page.'),
    limit: z.int().min(1).max(100).default(20),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: InputItemList,
  refuses: ['response_unknown', 'parameter_refused'],
  handle:
    (deps) =>
    async ({ params: { response_id: id }, query: { after, limit, order } }) => {
      const { began } = await getResponse(deps, id)
      const all = (began.request?.input ?? []).map((item, n) => toInputItem(id, item, n))
      const sortedItems = order === 'asc' ? all : all.reverse()
      const afterIndex = sortedItems.findIndex((item) => item.id === after)
      if (after !== undefined && afterIndex < 0)
        throw refuseParameter('after', 'The response has no input item with this id.')
      const from = afterIndex + 1
      const data = sortedItems.slice(from, from + limit)
      return {
        object: 'list' as const,
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: from + limit < sortedItems.length,
      }
    },
})

export const cancelResponseRoute = route({
  method: 'post',
  path: `${byId}/cancel`,
  summary: 'Cancel a response in the background',
  description: 'A response that has ended stays as it is.',
  tag: 'OpenAI',
  reply: ResponseObject,
  refuses: ['response_unknown', 'response_not_background', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { response_id: id } }) =>
      toStoredResponse(await cancelResponse(deps, id)),
})
