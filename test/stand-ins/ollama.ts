/**
 * A stand-in for Ollama over a real socket: its public protocol, scripted responses, faults on demand, and a
 * log of calls.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { countTokens, toVector } from './meaning.ts'

export interface ChatMessage {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: unknown }
  }[]
  readonly tool_name?: string
  /** Base64. */
  readonly images?: readonly string[]
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream?: boolean
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly format?: unknown
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number }
}

export interface Answer {
  readonly content?: string
  readonly thoughts?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  /** The response ends at the model's limit. */
  readonly length?: boolean
}

export interface Faults {
  /** Accepts a request and never responds; with a number, after this many words of a stream. */
  hangs: boolean | number
  /** A stream ends without its end mark: cleanly, or with the connection. */
  cutMode: 'cleanly' | 'hard' | null
  /** Also cuts responses without streaming. */
  isAlwaysCut: boolean
  /** An error line inside a stream with status 200, after its first word. */
  errorLine: string | null
  /** Number of next calls that get `failStatus`, on all routes or on these. */
  fails: number
  failsOn: RegExp | null
  failStatus: number
  failWords: string
  retryAfter: string | null
  /** Routes that do not exist. */
  absent: readonly string[]
  /** Refuses a chat with tools with 400. */
  refusesTools: boolean
  /** Ms between two lines of a pull. */
  pullPause: number
  pullError: string | null
  /** A pull responds with one object. */
  pullWhole: boolean
  /** Bytes per chunk of a stream, to split lines and characters anywhere. */
  chunk: number
  /** `/api/show` returns neither capabilities nor sizes. */
  terse: boolean
  redirect: string | null
}

const wellBehaved: Faults = {
  hangs: false,
  cutMode: null,
  isAlwaysCut: false,
  errorLine: null,
  fails: 0,
  failsOn: null,
  failStatus: 500,
  failWords: 'something broke',
  retryAfter: null,
  absent: [],
  refusesTools: false,
  pullPause: 0,
  pullError: null,
  pullWhole: false,
  chunk: 0,
  terse: false,
  redirect: null,
}

export interface Options {
  /** Models that exist from the start. */
  readonly models?: readonly string[]
  /** Models that can be pulled. */
  readonly registry?: readonly string[]
  readonly answer?: (request: ChatRequest) => string | Answer | Promise<string | Answer>
  readonly capabilities?: readonly string[]
  readonly context?: number
  /** Returns the vector of a text; by default of hashed words. */
  readonly embed?: (text: string) => readonly unknown[]
  readonly faults?: Partial<Faults>
}

export interface LoggedCall {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly authorized: boolean
  readonly authorization: string | undefined
  readonly traceparent: string | undefined
}

export interface OllamaStandIn {
  readonly url: string
  readonly log: readonly LoggedCall[]
  /** Current models, including wrappers, with the name of the model each was created from. */
  readonly models: ReadonlyMap<string, string>
  /** Changes take effect with the next call. */
  readonly faults: Faults
  calls(path: string): readonly LoggedCall[]
  /** Number of open responses. */
  open(): number
  close(): Promise<void>
}

const withTag = (name: string) => (name.includes(':') ? name : `${name}:latest`)

export const createOllama = async (options: Options = {}): Promise<OllamaStandIn> => {
  const {
    models: initialModels = ['llama3:latest'],
    registry,
    answer = () => 'ok',
    capabilities = ['completion', 'tools'],
    context = 8192,
    embed = toVector,
  } = options
  const models = new Map(initialModels.map((name) => [withTag(name), withTag(name)]))
  const faults: Faults = { ...wellBehaved, ...options.faults }
  const log: LoggedCall[] = []
  const answers = new Set<ServerResponse>()

  const routes: Record<string, (body: LoggedCall['body'], response: ServerResponse) => Promise<void> | void> =
    {
      'GET /api/version': (_, response) => json(response, 200, { version: '0.9.9' }),
      'GET /api/tags': (_, response) =>
        json(response, 200, { models: [...models.keys()].map((name) => ({ name, model: name, size: 1 })) }),
      'POST /api/show': ({ model }, response) => {
        if (!models.has(withTag(String(model))))
          return json(response, 404, { error: `model '${model}' not found` })
        json(
          response,
          200,
          faults.terse
            ? { details: {} }
            : {
                details: {},
                model_info: { 'general.architecture': 'llama', 'llama.context_length': context },
                capabilities,
              },
        )
      },
      'POST /api/pull': async ({ model }, response) => {
        const name = withTag(String(model))
        const isKnown = !registry || registry.map(withTag).includes(name)
        const error = faults.pullError ?? (isKnown ? null : 'pull model manifest: file does not exist')
        if (faults.pullWhole) {
          if (!error) models.set(name, name)
          return json(response, 200, error ? { error } : { status: 'success' })
        }
        response.writeHead(200, { 'content-type': 'application/x-ndjson' })
        write(response, { status: 'pulling manifest' })
        for (const progress of [0, 40, 100]) {
          await wait(faults.pullPause)
          if (response.destroyed) return
          write(response, {
            status: 'pulling 8eeb52dfb3bb',
            digest: 'sha256:8eeb52dfb3bb',
            total: 100,
            completed: progress,
          })
        }
        if (error) return void response.end(`${JSON.stringify({ error })}\n`)
        models.set(name, name)
        write(response, { status: 'verifying sha256 digest' })
        response.end(`${JSON.stringify({ status: 'success' })}\n`)
      },
      'POST /api/create': ({ model, from }, response) => {
        const base = models.get(withTag(String(from)))
        if (!base) return json(response, 400, { error: `model '${from}' not found` })
        models.set(withTag(String(model)), base)
        json(response, 200, { status: 'success' })
      },
      'DELETE /api/delete': ({ model }, response) => {
        if (!models.delete(withTag(String(model))))
          return json(response, 404, { error: `model '${model}' not found` })
        response.writeHead(200).end()
      },
      'POST /api/embed': ({ model, input }, response) => {
        if (!models.has(withTag(String(model))))
          return json(response, 404, { error: `model "${model}" not found, try pulling it first` })
        const texts = (Array.isArray(input) ? input : [input]).map(String)
        json(response, 200, {
          model,
          embeddings: texts.map((text) => embed(text)),
          total_duration: 14_143_917,
          load_duration: 1_019_500,
          prompt_eval_count: countTokens(texts),
        })
      },
      'POST /api/chat': async (body, response) => {
        const request = body as unknown as ChatRequest
        if (!models.has(withTag(String(request.model))))
          return json(response, 404, { error: `model '${request.model}' not found` })
        if (request.tools && faults.refusesTools)
          return json(response, 400, {
            error: `registry.ollama.ai/library/${request.model} does not support tools`,
          })
        // An image for a model without vision.
        if (request.messages.some(({ images }) => images?.length) && !capabilities.includes('vision'))
          return json(response, 500, { error: 'this model is missing data required for image input' })
        const scripted = await answer(request)
        await chat(request, typeof scripted === 'string' ? { content: scripted } : scripted, response)
      },
    }

  const write = (response: ServerResponse, line: object) => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    const size = faults.chunk || bytes.length
    for (let offset = 0; offset < bytes.length; offset += size)
      response.write(bytes.subarray(offset, offset + size))
  }

  const chat = async (
    { model, stream = true, messages }: ChatRequest,
    { content = '', thoughts, calls = [], length = false }: Answer,
    response: ServerResponse,
  ) => {
    const tool_calls = calls.map((madeCall) => ({
      function: { name: madeCall.name, arguments: madeCall.arguments },
    }))
    const fullMessage = {
      role: 'assistant',
      content,
      ...(thoughts ? { thinking: thoughts } : {}),
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    }
    const end = {
      done: true,
      done_reason: length ? 'length' : 'stop',
      prompt_eval_count: messages.length * 10,
      eval_count: content.split(' ').length,
    }
    if (!stream && !faults.isAlwaysCut) return json(response, 200, { model, message: fullMessage, ...end })

    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    if (thoughts)
      write(response, { model, message: { role: 'assistant', content: '', thinking: thoughts }, done: false })
    const words = content.match(/\s*\S+/g) ?? []
    for (const [n, word] of words.entries()) {
      if (faults.hangs === n) return
      write(response, { model, message: { role: 'assistant', content: word }, done: false })
      if (faults.errorLine) return void response.end(`${JSON.stringify({ error: faults.errorLine })}\n`)
      if (faults.chunk) await wait(1)
    }
    if (tool_calls.length > 0)
      write(response, { model, message: { role: 'assistant', content: '', tool_calls }, done: false })
    if (faults.cutMode === 'hard') {
      await wait(20)
      return void response.destroy()
    }
    if (faults.cutMode === 'cleanly') return void response.end()
    write(response, { model, message: { role: 'assistant', content: '' }, ...end })
    response.end()
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    answers.add(response)
    response.on('close', () => answers.delete(response))
    const { method = 'GET', url: path = '/' } = request
    const body = await readBody(request)
    const { authorization, traceparent } = request.headers
    const authorized = authorization !== undefined
    log.push({ method, path, body, authorized, authorization, traceparent: traceparent?.toString() })
    if (faults.hangs === true) return
    if (faults.redirect) return void response.writeHead(307, { location: faults.redirect }).end()
    if (faults.absent.includes(path))
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    if (faults.fails > 0 && (faults.failsOn?.test(path) ?? true)) {
      faults.fails--
      if (faults.retryAfter) response.setHeader('retry-after', faults.retryAfter)
      return json(response, faults.failStatus, { error: faults.failWords })
    }
    const route = routes[`${method} ${path}`]
    if (!route) return void response.writeHead(404).end('404 page not found')
    await route(body, response)
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    models,
    faults,
    calls: (path) => log.filter((entry) => entry.path === path),
    open: () => answers.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const json = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const readBody = async (request: IncomingMessage): Promise<LoggedCall['body']> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}
