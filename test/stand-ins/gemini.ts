/**
 * A stand-in for the Gemini API over a real socket. It follows the public pages on ai.google.dev: "Generating
 * content" (`generateContent`, `streamGenerateContent`, UsageMetadata, FinishReason, PromptFeedback),
 * "Caching" (Content, Part, FunctionDeclaration, Schema), "Models" (list, paging), "Function calling",
 * "Thought signatures", "Image understanding" (no GIF), "Document processing", "Audio", "Image generation",
 * "Imagen", "Embeddings", "Text-to-speech", "Troubleshooting" (a wrong key is a 400), and googleapis'
 * `generativelanguage/v1beta`.
 */
import type { Reply, Troubles } from './faults.ts'
import { type Content, type GenerateRequest, getGeminiRefusal } from './gemini-rules.ts'
import { toVector } from './meaning.ts'
import { png } from './media.ts'
import {
  type Answer,
  type Call,
  type ConversationTurn,
  createStandIn,
  getAnswer,
  getUsage,
  type HeardRequest,
  type Json,
  type StandIn,
  type StandInOptions,
  splitIntoChunks,
} from './provider.ts'

const kinds: Readonly<Record<number, readonly [status: string, words: string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  403: [
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  ],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  500: [
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
}

const problem = (code: number, chunk?: string, details?: readonly Json[]) => {
  const [status, usual] = kinds[code] ?? ['INTERNAL', 'An internal error has occurred.']
  return { error: { code, message: chunk ?? usual, status, ...(details ? { details } : {}) } }
}

const troubles: Troubles = {
  // The time of a retry is in the body, not in a header.
  refusal: (status, chunk, retryAfter) => ({
    status,
    json: problem(
      status,
      chunk,
      retryAfter === undefined
        ? undefined
        : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }],
    ),
  }),
  event: (chunk) => `data: ${JSON.stringify(problem(503, chunk))}\r\n\r\n`,
}

const wrongKey: Reply = {
  status: 400,
  json: problem(400, 'API key not valid. Please pass a valid API key.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ]),
}

export const createGemini = async (options: StandInOptions = {}): Promise<StandIn> => {
  const {
    models = [
      'gemini-2.5-flash',
      'gemini-3-pro-preview',
      'gemini-2.5-flash-image',
      'imagen-4.0-generate-001',
      'gemini-2.5-flash-preview-tts',
    ],
  } = options
  const { answer: script } = options
  const signatures = new Set<string>()
  let answerCount = 0

  const generate = async (
    { body }: Call,
    modelRequest: HeardRequest | null,
    isStreamed: boolean,
  ): Promise<Reply> => {
    const wrong = getGeminiRefusal(body, modelRequest?.model ?? '', signatures)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const modalities = getModalities(body)
    const can = /-tts/.test(modelRequest.model)
      ? ['AUDIO']
      : /-image/.test(modelRequest.model)
        ? ['TEXT', 'IMAGE']
        : ['TEXT']
    if (modalities.some((modality) => !can.includes(modality)))
      return troubles.refusal(
        400,
        `The requested combination of response modalities (${modalities.join(', ')}) is not supported by the model. models/${modelRequest.model} accepts the following combinations of response modalities:\n* ${can.join(', ')}\n`,
      )
    const reply = toContent(
      withFiles(await getAnswer(script, modelRequest), modalities),
      modelRequest,
      answerCount++,
      signatures,
    )
    return isStreamed ? { events: reply.events, whole: reply.whole } : { status: 200, json: reply.whole }
  }

  const imagen = async ({ body }: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const [instance] = Array.isArray(body.instances) ? (body.instances as readonly Json[]) : []
    if (!instance?.prompt || !modelRequest)
      return troubles.refusal(400, 'Invalid value at instances: prompt is required.')
    const { sampleCount = 1, aspectRatio = '1:1' } = (body.parameters ?? {}) as Json
    if (!(Number(sampleCount) >= 1 && Number(sampleCount) <= 4))
      return troubles.refusal(400, 'The number of images should be between 1 and 4.')
    if (!['1:1', '3:4', '4:3', '9:16', '16:9'].includes(String(aspectRatio)))
      return troubles.refusal(400, 'Unsupported aspect ratio.')
    const answer = await getAnswer(script, modelRequest)
    // Images that the filter removed are simply missing.
    if (answer.end) return { status: 200, json: {} }
    const files = answer.files ?? [{ mime: 'image/png', bytes: png }]
    const predictions = files.map(({ mime, bytes }) => ({
      mimeType: mime,
      bytesBase64Encoded: Buffer.from(bytes).toString('base64'),
    }))
    return { status: 200, json: { predictions } }
  }

  const answer = async (call: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const { method, path, query, key } = call
    if (key === 'none') return troubles.refusal(403)
    if (key === 'wrong') return wrongKey
    if (method === 'GET' && path === '/v1beta/models') return list(models, query)
    const { model: id, verb } = target(path)
    if (!id) return troubles.refusal(404)
    const isKnown = models.includes(id)
    if (method === 'GET' && !verb && isKnown) return { status: 200, json: model(id) }
    const verbs = getVerbs(id)
    if (method !== 'POST' || !isKnown || !verbs.includes(verb))
      return troubles.refusal(
        404,
        `models/${id} is not found for API version v1beta, or is not supported for ${verb}. Call ListModels to see the list of available models and their supported methods.`,
      )
    if (verb === 'predict') return imagen(call, modelRequest)
    if (verb === 'embedContent' || verb === 'batchEmbedContents') return embeddings(call, id)
    return generate(call, modelRequest, verb === 'streamGenerateContent')
  }
  return createStandIn({ ...troubles, keyHeader: 'x-goog-api-key', hear, answer }, options)
}

interface EmbedRequest {
  readonly model?: string
  readonly content?: Content
  readonly taskType?: string
}

/** One text, or at most 100, each with the name of the model again. */
const embeddings = ({ body }: Call, id: string): Reply => {
  const { requests } = body as { readonly requests?: readonly EmbedRequest[] }
  const embedRequests: readonly EmbedRequest[] = requests ?? [body]
  const wrong = embedRequests.some(
    ({ model, content, taskType = 'RETRIEVAL_QUERY' }) =>
      model !== `models/${id}` || !content || !/^RETRIEVAL_(QUERY|DOCUMENT)$/.test(taskType),
  )
  if (wrong || embedRequests.length > 100) return troubles.refusal(400)
  const vectors = embedRequests.map(({ content }) => ({
    values: toVector((content?.parts ?? []).map(({ text }) => text ?? '').join(' ')),
  }))
  return { status: 200, json: requests ? { embeddings: vectors } : { embedding: vectors[0] } }
}

const getVerbs = (id: string) => {
  if (id.startsWith('imagen')) return ['predict']
  if (/embedding/.test(id)) return ['embedContent', 'batchEmbedContents']
  return ['generateContent', 'streamGenerateContent', 'countTokens']
}

const model = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  description: `Stable release of ${id}`,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: getVerbs(id).filter((verb) => verb !== 'streamGenerateContent'),
})

/** Pages of 50 models, unless the client asks for more. */
const list = (models: readonly string[], query: URLSearchParams): Reply => {
  const size = Math.min(Number(query.get('pageSize') ?? 50), 1000)
  const first = Number(query.get('pageToken') ?? 0)
  const next = first + size < models.length ? { nextPageToken: String(first + size) } : {}
  return { status: 200, json: { models: models.slice(first, first + size).map(model), ...next } }
}

const target = (path: string) => {
  const [, id = '', verb = ''] = /^\/v1beta\/models\/([^/:]+)(?::(\w+))?$/.exec(path) ?? []
  return { model: decodeURIComponent(id), verb }
}

const getModalities = (body: Json): readonly string[] =>
  (body as Partial<GenerateRequest>).generationConfig?.responseModalities ?? []

const withFiles = (answer: Answer, modalities: readonly string[]): Answer => {
  if (answer.files || answer.end || modalities.length === 0) return answer
  if (modalities.includes('IMAGE')) return { ...answer, files: [{ mime: 'image/png', bytes: png }] }
  return modalities.includes('AUDIO')
    ? { files: [{ mime: 'audio/L16;codec=pcm;rate=24000', bytes: Buffer.alloc(4800) }] }
    : answer
}

const hear = ({ method, path, body }: Call): HeardRequest | null => {
  const { model: id, verb } = target(path)
  if (method !== 'POST' || !id) return null
  const {
    contents = [],
    systemInstruction,
    tools = [],
    instances,
  } = body as Partial<GenerateRequest> & { readonly instances?: readonly { readonly prompt?: string }[] }
  const wish = instances?.map(
    ({ prompt = '' }): ConversationTurn => ({
      role: 'user',
      text: prompt,
      calls: [],
      results: [],
      files: [],
    }),
  )
  return {
    model: id,
    system: (systemInstruction?.parts ?? []).map(({ text }) => text).join('\n'),
    messages: wish ?? contents.map(parseContent),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    stream: verb === 'streamGenerateContent',
    body,
  }
}

const parseContent = ({ role = 'user', parts }: Content): ConversationTurn => {
  const results = parts.flatMap(({ functionResponse }) =>
    functionResponse
      ? [{ id: functionResponse.id ?? null, name: functionResponse.name, content: functionResponse.response }]
      : [],
  )
  const saidRole = role === 'model' ? 'model' : 'user'
  return {
    role: results.length > 0 ? 'tool' : saidRole,
    text: parts.map(({ text }) => text ?? '').join(''),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall
        ? [{ id: functionCall.id ?? null, name: functionCall.name, input: functionCall.args ?? {} }]
        : [],
    ),
    results,
    files: parts.flatMap(({ inlineData }) =>
      inlineData
        ? [{ mime: inlineData.mimeType, name: null, bytes: Buffer.from(inlineData.data, 'base64') }]
        : [],
    ),
  }
}

const toContent = (answer: Answer, modelRequest: HeardRequest, n: number, signatures: Set<string>) => {
  const { text = '', thoughts, calls = [], files = [], end, explanation } = answer
  const { input, output, cached } = getUsage(modelRequest, answer)
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    ...(cached > 0
      ? { cachedContentTokenCount: cached, cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }] }
      : {}),
  }
  const tail = { usageMetadata, modelVersion: modelRequest.model, responseId: `mAitaLmkHPPlz7IPvtfUqQ${n}` }
  if (end === 'blocked') {
    const blockedAnswer = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...tail }
    return { events: [sse(blockedAnswer)], whole: blockedAnswer }
  }
  const signature = Buffer.from(`a thought of answer ${n}`).toString('base64')
  const isSigned = /^gemini-[3-9]/.test(modelRequest.model)
  if (isSigned) signatures.add(signature)
  const parts: Json[] = [
    ...splitIntoChunks(thoughts ?? '').map((chunk) => ({ text: chunk, thought: true })),
    ...splitIntoChunks(text).map((chunk) => ({ text: chunk })),
    ...calls.map((call, index) => ({
      // Only the first of several parallel calls is signed.
      functionCall: {
        ...(isSigned ? { id: call.id ?? `fc${n}x${index}` } : {}),
        name: call.name,
        args: call.input ?? {},
      },
      ...(isSigned && index === 0 ? { thoughtSignature: signature } : {}),
    })),
    ...files.map(({ mime, bytes }) => ({
      inlineData: { mimeType: mime, data: Buffer.from(bytes).toString('base64') },
    })),
    // The signature of a response without calls comes last, in an empty part.
    ...(isSigned && calls.length === 0 ? [{ text: '', thoughtSignature: signature }] : []),
  ]
  const finishReason = end === 'filter' ? 'SAFETY' : end === 'length' ? 'MAX_TOKENS' : 'STOP'
  const candidate = (candidateParts: readonly Json[], finish: string | null) => ({
    candidates: [
      {
        ...(candidateParts.length > 0 ? { content: { parts: candidateParts, role: 'model' } } : {}),
        ...(finish ? { finishReason: finish } : {}),
        ...(finish && explanation ? { finishMessage: explanation } : {}),
        index: 0,
      },
    ],
    ...tail,
  })
  const events = parts.map((part, index) =>
    sse(candidate([part], index === parts.length - 1 ? finishReason : null)),
  )
  return {
    events: events.length > 0 ? events : [sse(candidate([], finishReason))],
    whole: candidate(joinTexts(parts), finishReason),
  }
}

/** In a response without streaming, consecutive texts are one part. */
const joinTexts = (parts: readonly Json[]): Json[] => {
  const joinedParts: Json[] = []
  for (const part of parts) {
    const last = joinedParts.at(-1)
    const follows =
      last &&
      typeof last.text === 'string' &&
      part.text &&
      last.thought === part.thought &&
      !part.thoughtSignature
    if (follows) joinedParts[joinedParts.length - 1] = { ...last, text: `${last.text}${part.text}` }
    else joinedParts.push(part)
  }
  return joinedParts
}

const sse = (json: Json): string => `data: ${JSON.stringify(json)}\r\n\r\n`
