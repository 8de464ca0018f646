/** Requests that the Gemini API refuses, with its own messages if they are public. */
import * as z from 'zod'
import { findDeepestIssue } from './deepest.ts'
import { contradictsType } from './media.ts'
import type { Json } from './provider.ts'

const scalar = z.union([z.string(), z.number()])
/** The part of OpenAPI schemas that it supports; other names are unknown. */
const Schema: z.ZodType = z.lazy(() =>
  z.strictObject({
    type: z.string().optional(),
    format: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.string()).optional(),
    maxItems: scalar.optional(),
    minItems: scalar.optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    minProperties: scalar.optional(),
    maxProperties: scalar.optional(),
    minLength: scalar.optional(),
    maxLength: scalar.optional(),
    pattern: z.string().optional(),
    example: z.unknown().optional(),
    anyOf: z.array(Schema).optional(),
    propertyOrdering: z.array(z.string()).optional(),
    default: z.unknown().optional(),
    items: Schema.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
)

const struct = z.record(z.string(), z.unknown())
const name = z
  .string()
  .regex(
    /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    'Invalid function name. Must start with a letter or an underscore.',
  )
const Part = z.strictObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: z.strictObject({ mimeType: z.string(), data: z.string() }).optional(),
  fileData: z.strictObject({ mimeType: z.string().optional(), fileUri: z.string() }).optional(),
  functionCall: z.strictObject({ id: z.string().optional(), name, args: struct.optional() }).optional(),
  functionResponse: z
    .strictObject({
      id: z.string().optional(),
      name,
      response: struct,
      parts: z.array(z.unknown()).optional(),
    })
    .optional(),
})
export type Part = z.infer<typeof Part>
const Content = z.strictObject({
  role: z.enum(['user', 'model', 'function']).optional(),
  parts: z.array(Part).min(1),
})
export type Content = z.infer<typeof Content>

const GenerationConfig = z.strictObject({
  maxOutputTokens: z.int().optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  candidateCount: z.int().optional(),
  seed: z.int().optional(),
  stopSequences: z.array(z.string()).max(5).optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  responseMimeType: z.string().optional(),
  responseSchema: Schema.optional(),
  responseJsonSchema: z.unknown().optional(),
  responseModalities: z.array(z.enum(['TEXT', 'IMAGE', 'AUDIO'])).optional(),
  speechConfig: z.looseObject({}).optional(),
  imageConfig: z.looseObject({}).optional(),
  thinkingConfig: z.looseObject({}).optional(),
  mediaResolution: z.string().optional(),
  audioTimestamp: z.boolean().optional(),
})

const GenerateRequest = z.strictObject({
  contents: z.array(Content).min(1, 'contents is not specified'),
  systemInstruction: z
    .strictObject({
      role: z.string().optional(),
      parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(
            z.strictObject({
              name,
              description: z.string(),
              parameters: Schema.nullish(),
              parametersJsonSchema: z.unknown().optional(),
              response: Schema.optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({ functionCallingConfig: z.looseObject({ mode: z.string().optional() }).optional() })
    .optional(),
  generationConfig: GenerationConfig.optional(),
  safetySettings: z.array(z.strictObject({ category: z.string(), threshold: z.string() })).optional(),
  cachedContent: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  serviceTier: z.string().optional(),
})
export type GenerateRequest = z.infer<typeof GenerateRequest>

const kindsOfFiles =
  /^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|text\/.+|audio\/(wav|mp3|mpeg|aiff|aac|ogg|flac|webm|mp4|m4a|opus|pcm|l16)|video\/.+)(;.*)?$/i

/** Returns the error, or null for a valid request. `signatures`: the ones it has issued. */
export const getGeminiRefusal = (
  body: Json,
  model: string,
  signatures: ReadonlySet<string>,
): string | null => {
  const result = GenerateRequest.safeParse(body)
  if (!result.success) return spell(result.error)
  const { contents, tools } = result.data
  for (const tool of tools?.flatMap(({ functionDeclarations }) => functionDeclarations ?? []) ?? []) {
    const wrong = refusedSchema(
      tool.parameters as Json | null | undefined,
      `tools[0].function_declarations[${tool.name}].parameters`,
    )
    if (wrong) return wrong
  }
  const parts = contents.flatMap((content, index) =>
    content.parts.map((part, n) => ({ part, where: `contents[${index}].parts[${n}]` })),
  )
  return (
    parts
      .map(({ part, where: fieldPath }) => refusedPart(part, fieldPath))
      .find((refusal) => refusal !== null) ??
    refusedTurns(contents) ??
    refusedSignatures(contents, model, signatures)
  )
}

const refusedSchema = (schema: Json | null | undefined, fieldPath: string): string | null => {
  if (!schema) return null
  const type = String(schema.type ?? '').toUpperCase()
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>
  if (type === 'OBJECT' && Object.keys(properties).length === 0)
    return `GenerateContentRequest.${fieldPath}.properties: should be non-empty for OBJECT type`
  if (type === 'ARRAY' && !schema.items) return `GenerateContentRequest.${fieldPath}.items: missing field.`
  if (schema.enum && type !== 'STRING')
    return `GenerateContentRequest.${fieldPath}.enum: only allowed for STRING type`
  const absent = ((schema.required ?? []) as readonly string[]).find((name) => !properties[name])
  if (absent) return `GenerateContentRequest.${fieldPath}.required[0]: property is not defined`
  const inner = Object.entries(properties).map(([key, property]) =>
    refusedSchema(property, `${fieldPath}.properties[${key}]`),
  )
  return (
    [...inner, refusedSchema(schema.items as Json | undefined, `${fieldPath}.items`)].find(
      (refusal) => refusal !== null,
    ) ?? null
  )
}

const refusedPart = (part: Part, fieldPath: string): string | null => {
  const { text, inlineData, fileData, functionCall, functionResponse } = part
  const data = [text || undefined, inlineData, fileData, functionCall, functionResponse].filter(
    (value) => value !== undefined,
  )
  if (data.length === 0)
    return `GenerateContentRequest.${fieldPath}.data: required oneof field 'data' must have one initialized field`
  if (data.length > 1)
    return `Invalid value (oneof), oneof field 'data' is already set. Cannot set at '${fieldPath}'`
  if (!inlineData) return null
  if (!kindsOfFiles.test(inlineData.mimeType)) return `Unsupported MIME type: ${inlineData.mimeType}`
  if (contradictsType(inlineData.mimeType, Buffer.from(inlineData.data, 'base64')))
    return inlineData.mimeType === 'application/pdf'
      ? 'The document has no pages.'
      : 'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting'
  return null
}

const refusedTurns = (contents: readonly Content[]): string | null => {
  for (const [at, { role = 'user', parts }] of contents.entries()) {
    const calls = parts.filter(({ functionCall }) => functionCall).length
    const responses = parts.filter(({ functionResponse }) => functionResponse).length
    const previousContent = contents[at - 1]
    const callCount = previousContent?.parts.filter(({ functionCall }) => functionCall).length ?? 0
    if (calls > 0 && (role !== 'model' || !previousContent || previousContent.role === 'model'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    if (responses > 0 && callCount === 0)
      return 'Please ensure that function response turn comes immediately after a function call turn.'
    if (callCount !== responses)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
  }
  return contents.at(-1)?.parts.some(({ functionCall }) => functionCall)
    ? 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    : null
}

/** Placeholders for signatures of calls from other sources. */
const stopgaps = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** From version 3 on, every step of the current turn must begin its calls with the issued signature. */
const refusedSignatures = (
  contents: readonly Content[],
  model: string,
  signatures: ReadonlySet<string>,
): string | null => {
  if (!(Number(/^gemini-(\d+)/.exec(model)?.[1]) >= 3)) return null
  const firstIndex = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && parts.some(({ functionResponse }) => !functionResponse),
  )
  for (const [at, { parts }] of contents.entries()) {
    const first = at > firstIndex ? parts.find(({ functionCall }) => functionCall) : undefined
    if (!first) continue
    const { thoughtSignature, functionCall } = first
    if (thoughtSignature === undefined)
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${functionCall?.name}\`, position ${at + 1}.`
    if (!signatures.has(thoughtSignature) && !stopgaps.includes(thoughtSignature))
      return 'Corrupted thought signature.'
  }
  return null
}

const spell = (error: z.ZodError): string => {
  const { issue, path } = findDeepestIssue(error)
  if (!issue) return 'Request contains an invalid argument.'
  const fieldPath = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)
  if (issue.code === 'unrecognized_keys')
    return `Invalid JSON payload received. Unknown name "${issue.keys[0]}"${fieldPath && ` at '${fieldPath}'`}: Cannot find field.`
  if (path.at(-1) === 'role') return 'Please use a valid role: user, model.'
  return path[0] === 'contents' && path.length === 1
    ? '* GenerateContentRequest.contents: contents is not specified\n'
    : `Invalid value at '${fieldPath}': ${issue.message}`
}
