/**
 * A stand-in for OpenAI's API over a real socket, which can also imitate compatible servers (LM Studio,
 * llama.cpp, vLLM, OpenRouter). It follows the public API reference on
 * platform.openai.com/docs/api-reference: "Responses", "Chat" (messages, "The chat completion chunk object",
 * `stream_options`), "Embeddings", "Images", "Audio" (speech, transcription), "Models", the guides "Function
 * calling", "Images and vision", "File inputs", "Error codes", and the types of the official client
 * openai-node. The differences of other servers come from their own pages and issues.
 */
import type { Reply, Troubles } from './faults.ts'
import { countTokens, toVector } from './meaning.ts'
import { mp3, png } from './media.ts'
import { type Manners, openAiManners, parseChat, toCompletion } from './openai-chat.ts'
import { getResponseRefusal, type IssuedItems, parseResponses, toResponse } from './openai-responses.ts'
import { getOpenAiRefusal, openAiHabits } from './openai-rules.ts'
import {
  type Answer,
  type Call,
  createStandIn,
  getAnswer,
  type HeardRequest,
  type StandIn,
  type StandInOptions,
} from './provider.ts'

export interface OpenAiOptions extends StandInOptions {
  readonly manners?: Partial<Manners>
  /** Path before `/chat/completions`. */
  readonly prefix?: string
  /** A compatible server without OpenAI's limits. */
  readonly lenient?: boolean
  /** Returns the refusal of chat completions with a model; null if they are supported. */
  readonly refusesChat?: (model: string) => string | null
  /** An error inside a stream, if it differs from the usual one. */
  readonly event?: (message: string) => string
  /** Returns the refusal of responses with a model; null if they are supported. */
  readonly refusesResponses?: (model: string) => string | null
}

type Kind = readonly [type: string, code: string | null, words: string]
const kinds: Readonly<Record<number, Kind>> = {
  400: ['invalid_request_error', null, 'The request is not valid.'],
  401: [
    'invalid_request_error',
    'invalid_api_key',
    'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
  ],
  403: [
    'invalid_request_error',
    'unsupported_country_region_territory',
    'Country, region, or territory not supported',
  ],
  404: ['invalid_request_error', null, 'Invalid URL'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached for requests'],
  500: ['server_error', null, 'The server had an error while processing your request. Sorry about that!'],
  503: ['server_error', null, 'The engine is currently overloaded, please try again later'],
}

const error = (status: number, text?: string, code?: string) => {
  const [type, usual, message] = kinds[status] ?? ['server_error', null, 'The server had an error']
  return {
    error: {
      message: text ?? message,
      type: code === 'insufficient_quota' ? code : type,
      param: null,
      code: code ?? usual,
    },
  }
}

const troubles: Troubles = {
  refusal: (status, message, retryAfter) => ({
    status,
    json: error(status, message, /current quota/.test(message ?? '') ? 'insufficient_quota' : undefined),
    headers:
      retryAfter === undefined
        ? {}
        : { 'retry-after': String(retryAfter), 'retry-after-ms': String(retryAfter * 1000) },
  }),
  // Format of Responses. Chat completions contain only the error, and their clients ignore the rest.
  event: (message) =>
    `data: ${JSON.stringify({ type: 'error', sequence_number: 9, ...error(500, message) })}\n\n`,
}

export const createOpenAi = async (options: OpenAiOptions = {}): Promise<StandIn> => {
  const {
    models = ['gpt-4o', 'gpt-5', 'whisper-1', 'tts-1', 'gpt-image-1', 'dall-e-3'],
    answer: script,
    prefix = '/v1',
    event = troubles.event,
  } = options
  const manners = { ...openAiManners, ...options.manners }
  const habits = options.lenient ? { ...openAiHabits, thinks: () => false } : openAiHabits
  const issuedItems: IssuedItems = new Map()
  let answerCount = 0

  const createUnknownModel = (model: unknown): Reply => ({
    status: 404,
    json: error(
      404,
      `The model \`${model}\` does not exist or you do not have access to it.`,
      'model_not_found',
    ),
  })

  const chat = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const wrong = options.refusesChat?.(String(body.model)) ?? getOpenAiRefusal(body, habits)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const reply = toCompletion(await getAnswer(script, modelRequest), modelRequest, answerCount++, manners)
    return modelRequest.stream ? reply : { status: 200, json: reply.whole }
  }

  const responses = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const model = String(body.model)
    const thinks = openAiHabits.thinks(model)
    const wrong = options.refusesResponses?.(model) ?? getResponseRefusal(body, thinks, issuedItems)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const reply = toResponse(
      await getAnswer(script, modelRequest),
      modelRequest,
      answerCount++,
      thinks,
      issuedItems,
    )
    return modelRequest.stream ? reply : { status: 200, json: reply.whole }
  }

  const images = async ({ body }: Call, modelRequest: HeardRequest | null, url: string): Promise<Reply> => {
    const wrong = refusedImages(body, options.lenient)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const answer = await getAnswer(script, modelRequest)
    if (answer.end)
      return {
        status: 400,
        json: error(400, 'Your request was rejected as a result of our safety system.', 'moderation_blocked'),
      }
    const asUrl =
      body.response_format === 'url' ||
      (body.response_format === undefined && !/^gpt-image/.test(modelRequest.model))
    const files: NonNullable<Answer['files']> = answer.files ?? [{ mime: 'image/png', bytes: png }]
    const data = files.map(({ bytes, url: fileUrl }) =>
      fileUrl || asUrl
        ? { url: fileUrl ?? `${url}/made/picture.png` }
        : { b64_json: Buffer.from(bytes).toString('base64') },
    )
    const { input, output } = answer.usage ?? { input: 50, output: 4160 }
    const usage = /^gpt-image/.test(modelRequest.model)
      ? { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }
      : {}
    return { status: 200, json: { created: 1713833628, data, ...usage } }
  }

  const speech = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    for (const field of ['input', 'voice'])
      if (!body[field]) return troubles.refusal(400, `Missing required parameter: '${field}'.`)
    if (String(body.input).length > 4096)
      return troubles.refusal(
        400,
        "Invalid 'input': string too long. Expected a string with maximum length 4096.",
      )
    const format = String(body.response_format ?? 'mp3')
    const mime = soundTypes[format]
    if (!mime)
      return troubles.refusal(
        400,
        `Invalid value: '${format}'. Supported values are: ${Object.keys(soundTypes).join(', ')}.`,
      )
    const file = modelRequest && (await getAnswer(script, modelRequest)).files?.[0]
    return { mime: file?.mime ?? mime, bytes: file?.bytes ?? mp3 }
  }

  const transcription = async (call: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const wrong = refusedTranscription(call)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const { text = '' } = await getAnswer(script, modelRequest)
    const usage =
      modelRequest.model === 'whisper-1'
        ? { type: 'duration', seconds: 3 }
        : { type: 'tokens', input_tokens: 14, output_tokens: 9, total_tokens: 23 }
    if (field(call, 'response_format') === 'verbose_json')
      return {
        status: 200,
        json: { task: 'transcribe', language: 'english', duration: 2.5, text, segments: [], usage },
      }
    return field(call, 'response_format') === 'text'
      ? { mime: 'text/plain', bytes: Buffer.from(`${text}\n`) }
      : { status: 200, json: { text, usage } }
  }

  const embeddings = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const input: readonly unknown[] = Array.isArray(body.input) ? body.input : [body.input]
    if (input.length > 2048 || input.some((text) => typeof text !== 'string' || text === ''))
      return troubles.refusal(400, "'$.input' is invalid. Please check the API reference.")
    const wrong = Object.keys(body).find((name) => !embeddingFields.includes(name))
    if (wrong) return troubles.refusal(400, `Unknown parameter: '${wrong}'.`)
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: toVector(String(text)),
    }))
    const tokens = countTokens(input.map(String))
    const usage = { prompt_tokens: tokens, total_tokens: tokens }
    return { status: 200, json: { object: 'list', data, model: modelRequest?.model, usage } }
  }

  const routes: Readonly<
    Record<string, (call: Call, modelRequest: HeardRequest | null, url: string) => Promise<Reply>>
  > = {
    [`${prefix}/chat/completions`]: chat,
    [`${prefix}/responses`]: responses,
    [`${prefix}/images/generations`]: images,
    [`${prefix}/embeddings`]: embeddings,
    [`${prefix}/audio/speech`]: speech,
    [`${prefix}/audio/transcriptions`]: transcription,
  }

  const answer = async (call: Call, modelRequest: HeardRequest | null, url: string): Promise<Reply> => {
    const { method, path, key } = call
    // Generated images have an address of their own, which needs no key.
    if (method === 'GET' && path === '/made/picture.png') return { mime: 'image/png', bytes: png }
    if (key === 'none')
      return troubles.refusal(
        401,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
      )
    if (key === 'wrong') return troubles.refusal(401)
    if (method === 'GET' && path === `${prefix}/models`)
      return {
        status: 200,
        json: {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 1686935002, owned_by: 'openai' })),
        },
      }
    if (method === 'GET' && path.startsWith(`${prefix}/models/`)) {
      const id = decodeURIComponent(path.slice(prefix.length + 8))
      return models.includes(id)
        ? { status: 200, json: { id, object: 'model', created: 1686935002, owned_by: 'openai' } }
        : createUnknownModel(id)
    }
    const route = method === 'POST' ? routes[path] : undefined
    if (!route) return troubles.refusal(404, `Invalid URL (${method} ${path})`)
    if (modelRequest && modelRequest.model !== 'undefined' && !models.includes(modelRequest.model))
      return createUnknownModel(modelRequest.model)
    return route(call, modelRequest, url)
  }

  const hear = (call: Call): HeardRequest | null => {
    if (call.method !== 'POST' || !routes[call.path]) return null
    const { body, form } = call
    if (call.path.endsWith('/chat/completions')) return parseChat(body)
    if (call.path.endsWith('/responses')) return parseResponses(body)
    const emptyRequest = { system: '', tools: [], stream: body.stream === true, body }
    const message = { role: 'user' as const, calls: [], results: [] }
    if (form.length === 0)
      return {
        ...emptyRequest,
        model: String(body.model),
        messages: [{ ...message, text: String(body.prompt ?? body.input), files: [] }],
      }
    const files = form.flatMap(({ name, filename, mime, bytes }) =>
      name === 'file' ? [{ mime: mime ?? '', name: filename, bytes }] : [],
    )
    return {
      ...emptyRequest,
      model: field(call, 'model') ?? 'undefined',
      messages: [{ ...message, text: field(call, 'prompt') ?? '', files }],
    }
  }
  return createStandIn({ ...troubles, event, keyHeader: 'authorization', hear, answer }, options)
}

const soundTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

const field = ({ form }: Call, name: string): string | undefined =>
  form.find((part) => part.name === name)?.bytes.toString()

const embeddingFields = ['dimensions', 'encoding_format', 'input', 'model', 'user']

const imageFields = [
  'background',
  'model',
  'moderation',
  'n',
  'output_compression',
  'output_format',
  'partial_images',
  'prompt',
  'quality',
]
const moreImageFields = ['response_format', 'size', 'stream', 'style', 'user']

const refusedImages = (body: Call['body'], lenient = false): string | null => {
  if (!body.prompt) return "Missing required parameter: 'prompt'."
  const unknownField = Object.keys(body).find((name) => ![...imageFields, ...moreImageFields].includes(name))
  if (unknownField) return `Unknown parameter: '${unknownField}'.`
  if (lenient) return null
  if (/^gpt-image/.test(String(body.model)) && body.response_format !== undefined)
    return "Unknown parameter: 'response_format'."
  if (body.model === 'dall-e-3' && body.n !== undefined && body.n !== 1)
    return "Invalid 'n': integer above maximum value. Expected a value <= 1."
  return null
}

const sounds = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']

const refusedTranscription = (call: Call): string | null => {
  if (call.form.length === 0) return 'Could not parse multipart form'
  const file = call.form.find(({ name }) => name === 'file')
  if (!file?.filename) return "Missing required parameter: 'file'."
  if (field(call, 'model') === undefined) return 'you must provide a model parameter'
  const ending = /\.([a-z0-9]+)$/i.exec(file.filename)?.[1]?.toLowerCase() ?? ''
  if (!sounds.includes(ending))
    return `Unrecognized file format. Supported formats: ${JSON.stringify(sounds)}`
  if (file.bytes.length === 0) return 'Audio file is too short. Minimum audio length is 0.1 seconds.'
  const format = field(call, 'response_format') ?? 'json'
  if (/transcribe/.test(field(call, 'model') ?? '') && !['json', 'text'].includes(format))
    return `response_format '${format}' is not compatible with model '${field(call, 'model')}'. Use 'json' or 'text' instead.`
  if (call.form.some(({ name }) => name.startsWith('timestamp_granularities')) && format !== 'verbose_json')
    return "timestamp_granularities requires response_format 'verbose_json'."
  return null
}
