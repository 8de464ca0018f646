/**
 * Parses requests as Telegram does: parameters of any encoding as text, files by their part; and HTML, as
 * strictly as Telegram.
 */
export interface Part {
  readonly name: string
  readonly filename: string | null
  readonly bytes: Buffer
}

export interface ParsedForm {
  readonly params: Readonly<Record<string, string>>
  readonly files: readonly Part[]
}

/** Returns null if the request cannot be parsed. */
export const readRequest = (type: string, query: URLSearchParams, body: Buffer): ParsedForm | null => {
  const queryParams = Object.fromEntries(query)
  if (body.length === 0) return { params: queryParams, files: [] }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return {
      params: { ...queryParams, ...Object.fromEntries(new URLSearchParams(body.toString())) },
      files: [],
    }
  if (type.startsWith('application/json')) return readJson(queryParams, body)
  const [, boundary] = /^multipart\/form-data;.*boundary="?([^";]+)"?/.exec(type) ?? []
  const parts = boundary ? readParts(body, boundary) : null
  if (!parts) return null
  const words = parts
    .filter(({ filename }) => filename === null)
    .map(({ name, bytes }) => [name, bytes.toString()] as const)
  return {
    params: { ...queryParams, ...Object.fromEntries(words) },
    files: parts.filter(({ filename }) => filename !== null),
  }
}

const readJson = (queryParams: Record<string, string>, body: Buffer): ParsedForm | null => {
  // Telegram refuses an escape for half a surrogate pair.
  if (
    /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i.test(body.toString())
  )
    return null
  try {
    const content: unknown = JSON.parse(body.toString())
    if (typeof content !== 'object' || !content || Array.isArray(content)) return null
    const words = Object.entries(content).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return { params: { ...queryParams, ...Object.fromEntries(words) }, files: [] }
  } catch {
    return null
  }
}

const readParts = (body: Buffer, boundary: string): Part[] | null => {
  const text = body.toString('latin1')
  if (!text.startsWith(`--${boundary}\r\n`) || !text.trimEnd().endsWith(`\r\n--${boundary}--`)) return null
  const parts = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1)
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = Buffer.from(part.slice(0, end), 'latin1').toString()
    return {
      name: getAttribute(head, 'name') ?? '',
      filename: getAttribute(head, 'filename'),
      bytes: Buffer.from(part.slice(end + 4), 'latin1'),
    }
  })
}

/** Quoted up to the next quote, else up to a semicolon. */
const getAttribute = (head: string, key: string): string | null => {
  const [, quotedValue, bare] = new RegExp(`[;\\s]${key}=(?:"([^"]*)"|([^;\\r\\n]*))`).exec(head) ?? []
  return quotedValue ?? bare ?? null
}

export interface FormattedText {
  readonly text: string
  /** For example `b`, `a http://…`, `code language-ts`, in the order of the opening tags. */
  readonly tags: readonly string[]
}

const knownFields = [
  'b',
  'strong',
  'i',
  'em',
  'u',
  'ins',
  's',
  'strike',
  'del',
  'a',
  'code',
  'pre',
  'blockquote',
  'tg-spoiler',
]
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }
const unescapeHtml = (text: string) =>
  text.replace(/&(?:lt|gt|amp|quot);/g, (entity) => entities[entity] ?? entity)

/** Returns the text and the formats of HTML, or the reason why it cannot be parsed. */
export const readHtml = (html: string): FormattedText | string => {
  const open: string[] = []
  const tags: string[] = []
  let text = ''
  for (const [token] of html.matchAll(/<[^>]*>?|[^<]+/g)) {
    if (!token.startsWith('<')) {
      text += unescapeHtml(token)
      continue
    }
    const [, close, name = '', rest = ''] = /^<(\/?)([a-z-]+)((?:\s[^>]*)?)>$/.exec(token) ?? []
    if (!knownFields.includes(name))
      return `Unsupported start tag "${name}" at byte offset ${Buffer.byteLength(text)}`
    if (close) {
      if (open.pop() !== name) return `Unmatched end tag at byte offset ${Buffer.byteLength(text)}`
      continue
    }
    const [, value] = /^\s(?:href|class)="([^"]*)"$/.exec(rest) ?? []
    if (rest && value === undefined) return `Unexpected attribute at byte offset ${Buffer.byteLength(text)}`
    open.push(name)
    tags.push(value === undefined ? name : `${name} ${unescapeHtml(value)}`)
  }
  return open.length > 0 ? `Can't find end tag corresponding to start tag "${open.at(-1)}"` : { text, tags }
}
