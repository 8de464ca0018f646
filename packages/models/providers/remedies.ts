/**
 * The table of fields that servers refuse by name: patterns for the refusal, and the replacement. A new
 * wording needs a change of one row. The patterns come from public issues and the servers' documentation.
 */
import { isObject } from '../../kit/is-object.ts'
import { withoutTools } from '../models.ts'

export type Body = Readonly<Record<string, unknown>>

export interface Remedy {
  /** A clause for the user, after "This server refuses ". */
  readonly name: string
  readonly refusal: RegExp
  /** Returns undefined if the remedy changes nothing in the request. */
  apply(body: Body): Body | undefined
}

const refusing =
  "(?:unsupported|not support|n't support|not (?:currently )?(?:allowed|permitted|available|implemented|recognized|known)|unknown|unrecognized|unexpected|extra (?:inputs|fields)|extra_forbidden|forbidden|no endpoints found|cannot|can't|requires)"

/** Matches the field's name and a word of refusal, at most 120 characters apart, in either order. */
const names = (field: string): RegExp =>
  new RegExp(
    `${refusing}[^\\n]{0,120}\\b(?:${field})\\b|(?<!\\w)(?:${field})\\b[^\\n]{0,120}${refusing}`,
    'i',
  )

const omitFields = (body: Body, ...fields: readonly string[]): Body | undefined =>
  fields.some((field) => field in body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)))
    : undefined

const leaveOut = (field: string): Remedy => ({
  name: `${field} (left out)`,
  refusal: names(field),
  apply: (body) => omitFields(body, field),
})

const rename = (from: string, to: string): Remedy => ({
  name: `${from} (sent as ${to})`,
  refusal: names(from),
  apply: (body) => {
    const rest = omitFields(body, from)
    return rest && { ...rest, [to]: body[from] }
  },
})

const reasoning = ['reasoning_content', 'reasoning_details', 'reasoning']

/** The first match is tried first, so rows with common words are ordered from narrow to wide. */
export const remedies: readonly Remedy[] = [
  {
    name: 'streaming together with tools (the answer comes whole)',
    refusal:
      /stream(?:ing)?\b[^\n]{0,60}\btool|\btools?\b[^\n]{0,60}(?:not supported|unsupported|n't support\w*|cannot be used|only)[^\n]{0,40}\bstream|(?:n't|not) support tool use in streaming|cannot use tools with stream/i,
    apply: (body) =>
      body.stream === true && Array.isArray(body.tools)
        ? { ...(omitFields(body, 'stream_options') ?? body), stream: false }
        : undefined,
  },
  leaveOut('stream_options'),
  {
    name: withoutTools,
    refusal:
      /enable-auto-tool-choice|support tool use\b|(?:n't|not) support (?:the use of )?(?:tools?\b|tool use|tool[ -]?call|function[ -]?call)|tools param requires|(?:tools?|function)[ -]?(?:use|calls?|calling)? (?:is|are) not (?:supported|enabled|available)|(?:unsupported|unknown|unrecognized|unexpected)[^\n]{0,40}["'`]tools["'`]|["'`]tools["'`]?[^\n]{0,20}(?:extra inputs|not permitted)/i,
    apply: (body) => omitFields(body, 'tools', 'tool_choice', 'parallel_tool_calls'),
  },
  leaveOut('tool_choice'),
  leaveOut('parallel_tool_calls'),
  rename('max_tokens', 'max_completion_tokens'),
  rename('max_completion_tokens', 'max_tokens'),
  {
    name: 'limits of tokens (left out)',
    refusal: names('max_tokens|max_completion_tokens'),
    apply: (body) => omitFields(body, 'max_tokens', 'max_completion_tokens'),
  },
  leaveOut('temperature'),
  leaveOut('prompt_cache_key'),
  {
    name: 'response_format json_schema (sent as json_object)',
    refusal: names('json_schema|response_format|structured outputs?'),
    apply: (body) =>
      isObject(body.response_format) && body.response_format.type === 'json_schema'
        ? { ...body, response_format: { type: 'json_object' } }
        : undefined,
  },
  { ...leaveOut('response_format'), refusal: names('json_object|response_format') },
  {
    name: 'text.format (left out)',
    refusal: names('text\\.format|json_schema|structured outputs?'),
    apply: (body) => (isObject(body.text) && 'format' in body.text ? omitFields(body, 'text') : undefined),
  },
  {
    name: 'output_config (left out)',
    refusal: names('output_config|output_format|output formats?|structured outputs?'),
    apply: (body) => omitFields(body, 'output_config'),
  },
  {
    name: 'cache_control (left out)',
    refusal: names('cache_control'),
    apply: (body) =>
      JSON.stringify(body).includes('"cache_control":')
        ? JSON.parse(JSON.stringify(body, (name, value) => (name === 'cache_control' ? undefined : value)))
        : undefined,
  },
  {
    name: 'include (left out)',
    refusal:
      /encrypted content is not supported|\binclude\b[^\n]{0,80}(?:unsupported|not supported|unknown)/i,
    apply: (body) => omitFields(body, 'include'),
  },
  {
    name: 'reasoning of earlier steps (left out)',
    refusal: names(reasoning.join('|')),
    apply: (body) => withoutReasoning(body),
  },
  {
    name: 'the system role (sent as developer)',
    refusal: /\bsystem\b[^\n]{0,40}\brole\b|\brole\b[^\n]{0,80}\bsystem\b/i,
    apply: (body) => mapSystem(body, ['system'], (message) => [{ ...message, role: 'developer' }]),
  },
  {
    name: 'the system and developer roles (sent in the first message)',
    refusal: /\b(?:system|developer)\b[^\n]{0,40}\brole\b|\brole\b[^\n]{0,80}\b(?:system|developer)\b/i,
    apply: (body) => intoFirstMessage(body),
  },
]

const getMessages = (body: Body): readonly Body[] =>
  Array.isArray(body.messages) ? body.messages.filter(isObject) : []

const withoutReasoning = (body: Body): Body | undefined => {
  const messages = getMessages(body).map((message) => omitFields(message, ...reasoning) ?? message)
  const hasReasoning = getMessages(body).some((message) => reasoning.some((field) => field in message))
  return hasReasoning ? { ...body, messages } : undefined
}

const mapSystem = (
  body: Body,
  roles: readonly unknown[],
  map: (message: Body) => readonly Body[],
): Body | undefined => {
  const messages = getMessages(body)
  if (!messages.some(({ role }) => roles.includes(role))) return undefined
  return {
    ...body,
    messages: messages.flatMap((message) => (roles.includes(message.role) ? map(message) : [message])),
  }
}

const intoFirstMessage = (body: Body): Body | undefined => {
  const roles = ['system', 'developer']
  const texts = getMessages(body).flatMap(({ role, content }) =>
    roles.includes(String(role)) && typeof content === 'string' ? [content] : [],
  )
  const rest = mapSystem(body, roles, () => [])
  if (!rest || texts.length === 0) return undefined
  const [first, ...otherMessages] = getMessages(rest)
  const system = texts.join('\n\n')
  if (first?.role !== 'user')
    return { ...rest, messages: [{ role: 'user', content: system }, ...getMessages(rest)] }
  const content = Array.isArray(first.content)
    ? [{ type: 'text', text: system }, ...first.content]
    : `${system}\n\n${String(first.content ?? '')}`
  return { ...rest, messages: [{ ...first, content }, ...otherMessages] }
}
