/** Routes of the OpenAI-compatible API. */
import type { Response } from 'express'
import type { Exchange, ExchangeResult } from '../../agents/api-chat.ts'
import { getProblem, toProblemBody } from '../problems.ts'
import { alreadySent, type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import type { CutUrls } from '../server/data-urls.ts'
import { openEventStream } from '../server/event-stream.ts'
import { largeBody } from '../server/json-body.ts'
import {
  type About,
  ChatCompletion,
  ChatCompletionChunk,
  createChunks,
  toCompletion,
} from '../v1/completion.ts'
import { findModel, listRunning, Model, ModelList, toModel } from '../v1/persona-models.ts'
import { askPersona, passToHost } from '../v1/persona-request.ts'
import { ChatCompletionRequest, listParts, measure, toTalk, withWholeWords } from '../v1/request.ts'
import { type ReadParts, withParts } from '../v1/sent-files.ts'
import { toClientTools } from '../v1/tools.ts'

export const v1ModelsRoute = route({
  method: 'get',
  path: '/v1/models',
  summary: 'The running personas, as models of OpenAI’s API',
  description: 'In the format of OpenAI’s API.',
  tag: 'OpenAI',
  reply: ModelList,
  handle: (deps) => async () => {
    await deps.personas.ready
    return { object: 'list' as const, data: listRunning(deps).map(toModel) }
  },
})

export const v1ModelRoute = route({
  method: 'get',
  path: '/v1/models/{id}',
  summary: 'One running persona, by its id or its name',
  description: 'In the format of OpenAI’s API.',
  tag: 'OpenAI',
  reply: Model,
  refuses: ['model_not_found'],
  handle:
    (deps) =>
    async ({ params: { id } }) =>
      toModel(await findModel(deps, id)),
})

const path = '/v1/chat/completions'

export const v1ChatRoute = route({
  method: 'post',
  path,
  summary: 'Send a chat completion to a persona. It remembers the message only with `store`',
  description:
    'For any client of OpenAI’s API. `model` is the id or the name of a running persona. It calls the tools of the client beside its own, which only read. Sampling parameters are ignored.',
  tag: 'OpenAI',
  body: ChatCompletionRequest,
  limit: ({ chat }) => chat,
  cutsUrls: true,
  reply: ChatCompletion,
  events: ChatCompletionChunk,
  refuses: [
    'body_too_large',
    'model_not_found',
    'file_refused',
    'picture_refused',
    'spent',
    'life_over',
    'model_failed',
    'cut_short',
    'journal_unavailable',
  ],
  handle:
    (deps) =>
    async ({ body, request, response }) => {
      const { clock, closing, config, newId } = deps
      const largeRequest = largeBody(request)
      const cutUrls: CutUrls = largeRequest?.urls ?? new Map()
      const messages = withWholeWords(body.messages, cutUrls)
      measure({ messages, store: body.store }, config.limits)
      const tools = readTools(body)
      const { id: model } = await findModel(deps, body.model)
      if (await passToHost(deps, model, { request, response, cutUrls })) return alreadySent
      const sentParts = listParts(messages)
      const completionInfo = { id: `chatcmpl-${newId()}`, created: Math.floor(clock.now() / 1000), model }
      const answer = async (signal: AbortSignal, parts: ReadParts) => {
        largeRequest?.forgetUrls()
        const talk = toTalk(messages, parts, tools !== undefined)
        const ask = (onWords: Exchange['onWords']) =>
          askPersona(deps, model, {
            talk,
            tools,
            store: body.store === true,
            onWords,
            disconnectSignal: signal,
            pictureBytes: parts.bytes,
          })
        if (!body.stream) return toCompletion(completionInfo, await ask(() => {}))
        await stream(deps, response, {
          info: completionInfo,
          withUsage: body.stream_options?.include_usage === true,
          ask,
        })
        return alreadySent
      }
      return withAbortSignal(response, closing, (signal) =>
        withParts(sentParts, { ...deps, cut: cutUrls, signal }, (parts) => answer(signal, parts)),
      )
    },
})

const readTools = ({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatCompletionRequest) =>
  toClientTools({
    tools: (tools ?? []).map((tool) => tool.function),
    choice: typeof choice === 'object' && choice ? choice.function : (choice ?? 'auto'),
    parallel: parallel ?? true,
  })

interface StreamOptions {
  readonly info: About
  readonly withUsage: boolean
  readonly ask: (onWords: Exchange['onWords']) => Promise<ExchangeResult>
}

/** Before the first byte, errors get their own status. After it, the error is the last event. */
const stream = async (
  { clock, log }: RouteDeps,
  response: Response,
  { info, withUsage, ask }: StreamOptions,
): Promise<void> => {
  const chunks = createChunks(info, withUsage)
  const events = openEventStream(response, clock, (stream) => stream.send(chunks.first))
  try {
    const exchange = await ask((words) => events.send(chunks.words(words)))
    for (const chunk of chunks.last(exchange)) events.send(chunk)
    events.send('[DONE]')
  } catch (error) {
    if (!events.begun) throw error
    const problem = getProblem(error)
    if (problem.status >= 500 && problem.code !== 'cut_short')
      log.error({ err: error, status: problem.status, route: `POST ${path}` }, 'an event stream failed')
    events.send(toProblemBody(problem, path))
  } finally {
    events.end()
  }
}
