/**
 * A stand-in for xAI's API over a real socket. It follows the public pages on docs.x.ai: "Chat Completions",
 * "Streaming Response" (usage with every chunk), "Function Calling" (a call comes whole in one chunk), "Image
 * Understanding" (jpg and png), "Image Generations", "Models" and "Debugging Errors" (a wrong key is a 400, a
 * missing one a 401; errors are `{code, error}`). Speech and transcription are not available at OpenAI's
 * addresses, and chats accept no files.
 */
import type { Reply, Troubles } from './faults.ts'
import { png } from './media.ts'
import { openAiManners, parseChat, toCompletion } from './openai-chat.ts'
import { getOpenAiRefusal } from './openai-rules.ts'
import {
  type Answer,
  type Call,
  createStandIn,
  getAnswer,
  type HeardRequest,
  type StandIn,
  type StandInOptions,
} from './provider.ts'

const kinds: Readonly<Record<number, readonly [code: string, words: string]>> = {
  400: ['Client specified an invalid argument', 'Invalid request content.'],
  401: ['unauthenticated:no-credentials', 'No credentials provided'],
  403: [
    'The caller does not have permission to execute the specified operation',
    'Your team does not have permission.',
  ],
  404: [
    'Some requested entity was not found',
    'No handler found on route. Please double check your URL and consult https://docs.x.ai/ for more information.',
  ],
  429: ['Some resource has been exhausted', 'Too many requests for your team.'],
  500: ['The system suffered an internal error', 'Internal error'],
  503: ['The service is currently unavailable', 'The model is at capacity.'],
}

const problem = (status: number, message?: string) => {
  const [code, usual] = kinds[status] ?? ['The system suffered an internal error', 'Internal error']
  return { code, error: message ?? usual }
}

const troubles: Troubles = {
  refusal: (status, message, retryAfter) => ({
    status,
    json: problem(status, message),
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  }),
  event: (message) => `data: ${JSON.stringify(problem(503, message))}\n\n`,
}

const manners = {
  ...openAiManners,
  reasoning: 'reasoning_content',
  usage: 'always',
  wholeCalls: true,
} as const
const habits = { pictures: ['image/png', 'image/jpeg'], documents: false, thinks: () => false }

export const createXai = async (options: StandInOptions = {}): Promise<StandIn> => {
  const { models = ['grok-4', 'grok-imagine-image'], answer: script } = options
  let answerCount = 0

  const createUnknownModel = (model: string): Reply => ({
    status: 404,
    json: {
      code: 'not-found',
      error: `The model ${model} does not exist or your team 76d413d5-32ce-42c9-ad95-931b52a899d4 does not have access to it. If you believe this is a mistake, please contact support and quote your team ID and the model name.`,
    },
  })

  const chat = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const wrong = getOpenAiRefusal(body, habits)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const empty = modelRequest.messages.some(
      (message) => message.role === 'user' && !message.text.trim() && message.files.length === 0,
    )
    if (empty) return troubles.refusal(400, 'Each message must have at least one content element.')
    const answer = await getAnswer(script, modelRequest)
    if (answer.end === 'blocked')
      return troubles.refusal(403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')
    const reply = toCompletion(answer, modelRequest, answerCount++, manners)
    return modelRequest.stream ? reply : { status: 200, json: reply.whole }
  }

  const images = async ({ body }: Call, modelRequest: HeardRequest | null, url: string): Promise<Reply> => {
    const unknownField = Object.keys(body).find((name) => !imageFields.includes(name))
    if (unknownField) return troubles.refusal(400, `Argument not supported: ${unknownField}`)
    if (!body.prompt || !modelRequest) return troubles.refusal(400, 'prompt must be non-empty')
    const answer = await getAnswer(script, modelRequest)
    const files: NonNullable<Answer['files']> = answer.files ?? [{ mime: 'image/jpeg', bytes: png }]
    const data = files.map(({ mime, bytes, url: fileUrl }) => ({
      ...(fileUrl || body.response_format !== 'b64_json'
        ? { url: fileUrl ?? `${url}/made/picture.png` }
        : { b64_json: Buffer.from(bytes).toString('base64') }),
      mime_type: mime,
      revised_prompt: '',
      respect_moderation: answer.end === undefined,
    }))
    return { status: 200, json: { data } }
  }

  const answer = async (call: Call, modelRequest: HeardRequest | null, url: string): Promise<Reply> => {
    const { method, path, key } = call
    if (method === 'GET' && path === '/made/picture.png') return { mime: 'image/png', bytes: png }
    if (key === 'none') return troubles.refusal(401)
    if (key === 'wrong')
      return troubles.refusal(
        400,
        'Incorrect API key provided: xa***ey. You can obtain an API key from https://console.x.ai.',
      )
    if (method === 'GET' && path === '/v1/models')
      return {
        status: 200,
        json: {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 1752019200, owned_by: 'xai' })),
        },
      }
    if (method === 'GET' && path.startsWith('/v1/models/')) {
      const id = decodeURIComponent(path.slice('/v1/models/'.length))
      return models.includes(id)
        ? { status: 200, json: { id, object: 'model', created: 1752019200, owned_by: 'xai' } }
        : createUnknownModel(id)
    }
    const route =
      method === 'POST' ? { '/v1/chat/completions': chat, '/v1/images/generations': images }[path] : undefined
    if (!route) return troubles.refusal(404)
    if (modelRequest && modelRequest.model !== 'undefined' && !models.includes(modelRequest.model))
      return createUnknownModel(modelRequest.model)
    return route(call, modelRequest, url)
  }
  return createStandIn({ ...troubles, keyHeader: 'authorization', hear, answer }, options)
}

const imageFields = [
  'model',
  'prompt',
  'n',
  'response_format',
  'aspect_ratio',
  'resolution',
  'quality',
  'size',
  'style',
  'user',
]

const hear = ({ method, path, body }: Call): HeardRequest | null => {
  if (method !== 'POST') return null
  if (path === '/v1/chat/completions') return parseChat(body)
  if (path !== '/v1/images/generations') return null
  const message = {
    role: 'user' as const,
    text: String(body.prompt ?? ''),
    calls: [],
    results: [],
    files: [],
  }
  return { model: String(body.model), system: '', messages: [message], tools: [], stream: false, body }
}
