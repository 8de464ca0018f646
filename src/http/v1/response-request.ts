/** Schema of a request for a response, and its conversion to the form that is stored. */
import * as z from 'zod'
import type { ResponseItem, ResponseRequest } from '../../../facts/fact-values.ts'
import type { Limits } from '../../config.ts'
import { type Attachments, noteUnkept } from '../../mind/prompt/caller-prompt.ts'
import { getItemText } from '../../persona/stored-responses.ts'
import { HttpRefused, type Item } from '../refused.ts'
import { type CutUrls, wholeUrl } from '../server/data-urls.ts'
import { validate } from '../server/validation.ts'
import { SentFileFields, type SentPart, toSentFile } from './sent-files.ts'
import { findSchemaError, ResponseToolChoice, ResponseTools, toClientTools } from './tools.ts'

const TextFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or dashes'),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
])

const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'at most 16 pairs are taken')

const ignoredField = z.unknown().optional().describe('Accepted and ignored.')

export const CreateResponse = z
  .looseObject({
    model: z
      .string()
      .describe('The id of a running persona, or its name if no other running persona has it.'),
    input: z
      .union([z.string(), z.array(z.looseObject({ type: z.string().nullish() }))], {
        error: 'input is a text, or a list of items',
      })
      .describe(
        'A text, or items: message (input_text, input_image, input_file), function_call, function_call_output, item_reference.',
      ),
    instructions: z.string().nullish().describe('A note of the program. It is not continued.'),
    previous_response_id: z.string().nullish().describe('A stored response of the persona to continue.'),
    store: z
      .boolean()
      .nullish()
      .describe(
        'Absent: the response is stored and can be continued, but is neither talk nor memory. `true`: the newest message and the answer also become part of the conversation. `false`: nothing is stored.',
      ),
    stream: z.boolean().nullish(),
    background: z.boolean().nullish().describe('The request is answered although the client does not wait.'),
    tools: ResponseTools.nullish(),
    tool_choice: ResponseToolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    text: z.object({ format: TextFormat.nullish() }).nullish(),
    metadata: metadata.nullish(),
    max_output_tokens: z.int().min(16).nullish(),
    include: z.array(z.string()).nullish(),
    truncation: z.enum(['auto', 'disabled']).nullish(),
    temperature: ignoredField,
    top_p: ignoredField,
    user: ignoredField,
    safety_identifier: ignoredField,
    prompt_cache_key: ignoredField,
    prompt_cache_retention: ignoredField,
    service_tier: ignoredField,
    reasoning: ignoredField,
    stream_options: ignoredField,
  })
  .meta({ id: 'CreateResponse' })
export type CreateResponse = z.infer<typeof CreateResponse>

/** Asks for data that the daemon never has, so nothing is missing without it. */
const ignoredIncludes = ['reasoning.encrypted_content']

export const refuseParameter = (param: string, why: string): HttpRefused =>
  new HttpRefused({ code: 'parameter_refused', param, why })

/** Throws parameter_refused for a field that would change the answer. */
export const checkParameters = (body: CreateResponse): void => {
  const unknownName = Object.keys(body).find(
    (name) => !Object.hasOwn(CreateResponse.shape, name) && body[name] !== null && body[name] !== undefined,
  )
  if (unknownName !== undefined)
    throw refuseParameter(unknownName.slice(0, 100), 'This field is not supported.')
  const include = body.include?.findIndex((name) => !ignoredIncludes.includes(name)) ?? -1
  if (include >= 0) throw refuseParameter(`include.${include}`, 'This is not supported.')
  if (body.background && body.store === false)
    throw refuseParameter('background', 'A response in the background must be stored. Leave out store.')
}

// --- items

const TextPart = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() })
const ImagePart = z.object({
  type: z.literal('input_image'),
  image_url: z.string('a picture is sent as a data: URL in image_url'),
})
const FilePart = SentFileFields.extend({ type: z.literal('input_file') })
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })
const Part = z.discriminatedUnion('type', [TextPart, ImagePart, FilePart, RefusalPart], {
  error: 'a part is input_text, output_text, refusal, input_image or input_file',
})
type Part = z.infer<typeof Part>
const maxParts = 1000
const Content = z.union([z.string(), z.array(Part).max(maxParts)])

const callId = z.string().min(1).max(200)
const MessageItem = z.object({
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: Content,
})
const CallItem = z.object({ call_id: callId, name: z.string().min(1).max(200), arguments: z.string() })
const OutputItem = z.object({
  call_id: callId,
  output: z.union([z.string(), z.array(TextPart).max(maxParts)]),
})
const ReferenceItem = z.object({ id: z.string().max(300) })

/** `parts`: pictures and files of users, oldest first, with the position of their item. */
export interface ReadInput {
  readonly items: readonly ResponseItem[]
  readonly parts: readonly (SentPart & { readonly item: number })[]
}

const maxItems = 5000
/** Each one of another response reads the journal. */
const maxReferences = 1000

/**
 * `find` returns the items with these ids that are stored. Throws invalid, parameter_refused, file_refused or
 * body_too_large.
 */
export const readInput = async (
  input: CreateResponse['input'],
  urls: CutUrls,
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, ResponseItem>>,
): Promise<ReadInput> => {
  if (typeof input === 'string')
    return { items: [{ type: 'message', role: 'user', text: wholeUrl(input, urls) }], parts: [] }
  if (input.length > maxItems) throw invalid(['input'], `Value error, at most ${maxItems} items are taken`)
  const foundItems = await find(listReferences(input))
  const items: ResponseItem[] = []
  const sentParts: (SentPart & { item: number })[] = []
  const add = (text: string): string => wholeUrl(text, urls)
  for (const [n, item] of input.entries()) {
    const at = (schemaItem: z.ZodType) => parseAt(schemaItem, item, ['input', n])
    switch (getType(item)) {
      case 'message': {
        const { role, content } = at(MessageItem) as z.infer<typeof MessageItem>
        const parts = typeof content === 'string' ? [] : content
        for (const [index, part] of parts.entries()) {
          if (part.type !== 'input_image' && part.type !== 'input_file') continue
          const param = `input.${n}.content.${index}`
          if (role !== 'user')
            throw refuseParameter(param, 'Only messages of the user have pictures and files.')
          const sentPart = part.type === 'input_file' ? toSentFile(part, param) : { url: part.image_url }
          sentParts.push({ ...sentPart, item: items.length })
        }
        const text = typeof content === 'string' ? add(content) : parts.flatMap(getText).map(add).join('\n')
        items.push({ type: 'message', role, text })
        break
      }
      case 'function_call': {
        const { call_id: call, name, arguments: text } = at(CallItem) as z.infer<typeof CallItem>
        items.push({ type: 'call', call, name, arguments: add(text) })
        break
      }
      case 'function_call_output': {
        const { call_id: call, output } = at(OutputItem) as z.infer<typeof OutputItem>
        const text = typeof output === 'string' ? output : output.map((part) => part.text).join('\n')
        items.push({ type: 'result', call, output: add(text) })
        break
      }
      case 'item_reference': {
        const { id } = at(ReferenceItem) as z.infer<typeof ReferenceItem>
        const foundItem = foundItems.get(id)
        if (!foundItem)
          throw refuseParameter(
            `input.${n}.id`,
            'There is no stored item with this id. Send the item itself.',
          )
        items.push(foundItem)
        break
      }
      // The daemon sends none, so this is of another server.
      case 'reasoning':
        break
      default:
        throw refuseParameter(`input.${n}.type`, 'Items of this type are not supported.')
    }
  }
  if (items.length === 0) throw invalid(['input'], 'Value error, input has no items')
  return { items, parts: sentParts }
}

const getType = (item: { readonly type?: string | null | undefined }): string =>
  item.type ?? ('role' in item ? 'message' : 'item_reference')

/** Returns the ids of the references. Throws invalid. */
const listReferences = (
  input: readonly { readonly type?: string | null | undefined; readonly id?: unknown }[],
): readonly string[] => {
  const references = input.filter((item) => getType(item) === 'item_reference')
  if (references.length > maxReferences)
    throw invalid(['input'], `Value error, at most ${maxReferences} item_reference are taken`)
  return references.flatMap(({ id }) => (typeof id === 'string' ? id : []))
}

const getText = (part: Part): readonly string[] => {
  if (part.type === 'input_image' || part.type === 'input_file') return []
  return [part.type === 'refusal' ? part.refusal : part.text]
}

const parseAt = (schema: z.ZodType, value: unknown, path: readonly (string | number)[]): unknown => {
  const result = validate(schema, value, 'body')
  if ('value' in result) return result.value
  const items = result.items.map((item) => ({ ...item, loc: ['body', ...path, ...item.loc.slice(1)] }))
  throw new HttpRefused({ code: 'invalid', items })
}

const invalid = (path: readonly (string | number)[], msg: string): HttpRefused => {
  const item: Item = { type: 'value_error', loc: ['body', ...path], msg }
  return new HttpRefused({ code: 'invalid', items: [item] })
}

/** Bytes of a request that is stored, so that it fits into one commit together with its answer. */
const maxStored = 256 * 1024

/** `earlierBytes`: of the items that it continues. Throws invalid, parameter_refused or body_too_large. */
export const toRequest = (
  body: CreateResponse,
  { items: input, earlierBytes }: { readonly items: readonly ResponseItem[]; readonly earlierBytes: number },
  { message, json }: Pick<Limits, 'message' | 'json'>,
): ResponseRequest => {
  const { instructions = null, tool_choice: choice, parallel_tool_calls: parallel } = body
  const tools = body.tools ?? []
  const client = toClientTools({
    tools,
    choice: typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? 'auto'),
    parallel: parallel ?? true,
  })
  const sizes = [instructions ?? '', ...input.map(getItemText)].map((text) => Buffer.byteLength(text))
  if (sizes.some((size) => size > message))
    throw new HttpRefused({ code: 'body_too_large', what: 'message', most: message })
  if (sizes.reduce((sum, size) => sum + size, earlierBytes) > json) throw refuseTalk(json)
  const request: ResponseRequest = {
    input: [...input],
    instructions,
    tools: (client?.specs ?? []).map((spec) => ({ ...spec, parameters: { ...spec.parameters } })),
    choice: client?.choice ?? 'auto',
    parallel: parallel ?? true,
    format: readFormat(body.text?.format),
    maxTokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    remember: body.store === true,
  }
  if (body.store !== false && Buffer.byteLength(JSON.stringify(request)) > maxStored)
    throw new HttpRefused({
      code: 'body_too_large',
      what: 'request that is stored (send "store": false, or a part)',
      most: maxStored,
    })
  return request
}

export const refuseTalk = (most: number): HttpRefused =>
  new HttpRefused({ code: 'body_too_large', what: 'talk, with the items that it continues,', most })

/** `items`: those after the last remembered answer. Throws invalid. */
export const checkRemembered = (body: CreateResponse, items: readonly ResponseItem[]): void => {
  if (body.store === true && !items.some((item) => item.type === 'message' && item.role === 'user'))
    throw invalid(['input'], 'Value error, with store there must be a message of the user to remember')
}

type Format = NonNullable<CreateResponse['text']>['format']

const readFormat = (format: Format): ResponseRequest['format'] => {
  if (!format || format.type === 'text') return null
  if (format.type === 'json_object') return { name: 'answer', schema: null }
  const error = findSchemaError(format.schema)
  if (error !== null) throw invalid(['text', 'format', 'schema'], `Value error, ${error}`)
  return { name: format.name, schema: format.schema }
}

/** Returns the request with a note in place of each picture and file, which are not stored. */
export const markAttachments = (
  request: ResponseRequest,
  attachments: ReadonlyMap<number, Attachments>,
): ResponseRequest => ({
  ...request,
  input: request.input.map((item, n) => {
    const itemAttachments = attachments.get(n)
    return item.type === 'message' && itemAttachments
      ? { ...item, text: [item.text, ...noteUnkept(itemAttachments)].filter(Boolean).join('\n') }
      : item
  }),
})
