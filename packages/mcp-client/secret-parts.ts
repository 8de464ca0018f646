/**
 * The values inside the texts of a declaration, each with the name it stands under and its verdict:
 * `NAME=value`, headers, addresses, JSON, options of a command line. Positions are UTF-16 units of the text.
 */
import { isSecretName, judgeSecret, type Verdict } from '../kit/secret-judge.ts'

export interface ValuePart {
  readonly start: number
  readonly end: number
  /** The option, variable, header, key or query field; null without one. */
  readonly name: string | null
  /** Without the escapes of an address or of JSON. */
  readonly value: string
  readonly verdict: Verdict
}

/** A text of a declaration, with where it stands. */
export interface DeclaredText {
  readonly field: 'command' | 'args' | 'env' | 'url' | 'headers' | 'client_secret'
  /** Of `args` the index, of `env` and `headers` the name. */
  readonly key: string | number | null
  readonly text: string
  /** May lie inside one another: a text under `PASSWORD=` is one, and so is its first word. */
  readonly parts: readonly ValuePart[]
}

interface Declaration {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly oauth?: { readonly client_secret?: string | undefined } | undefined
}

/** Every text of a declaration, whether its secrets are filled in or not. */
export const declaredTexts = (declaration: Declaration): readonly DeclaredText[] => {
  const { command, args = [], env = {}, url, headers = {}, oauth } = declaration
  const inArgs = argumentParts(args.map((text) => ({ text, at: 0 })))
  const named = (field: 'env' | 'headers', all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([key, text]) => ({ field, key, text, parts: valueParts(text, key) }))
  const single = (
    field: 'command' | 'url' | 'client_secret',
    text: string | undefined,
    name: string | null,
  ) => (text === undefined ? [] : [{ field, key: null, text, parts: valueParts(text, name) }])
  return [
    ...single('command', command, null),
    ...args.map((text, n) => ({ field: 'args' as const, key: n, text, parts: inArgs[n] ?? [] })),
    ...named('env', env),
    ...single('url', url, null),
    ...named('headers', headers),
    ...single('client_secret', oauth?.client_secret, 'client_secret'),
  ]
}

/** Returns null if the text has another form. */
type Reader = (text: string, name: string | null, at: number) => readonly ValuePart[] | null

/** `name`: what the whole text stands under; `at` is added to all positions. */
export const valueParts = (text: string, name: string | null, at = 0): readonly ValuePart[] => {
  for (const read of readers) {
    const parts = read(text, name, at)
    if (parts) return parts
  }
  return [leaf(text, name, at)]
}

const leaf = (text: string, name: string | null, at: number, value = text): ValuePart => ({
  ...{ start: at, end: at + text.length, name, value },
  verdict: judgeSecret(value, name),
})

const inQuotes: Reader = (text, name, at) => {
  const [, , inner] = /^(["'])([^"']*)\1$/.exec(text) ?? []
  return inner === undefined ? null : valueParts(inner, name, at + 1)
}

const inJson: Reader = (text, name, at) => {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return null
  const parts: ValuePart[] = []
  let key = name
  for (let start = 0; start < text.length; ) {
    const end = endOfToken(text, start)
    const token = text.slice(start, end)
    const raw = token.slice(1, -1)
    if (token.startsWith('"') && /^\s*:/.test(text.slice(end, end + 100))) key = JSON.parse(token)
    else if (token.startsWith('"')) parts.push(...inJsonText(raw, JSON.parse(token), key, at + start + 1))
    else if (/^[-\d]/.test(token)) parts.push(leaf(token, key, at + start))
    start = end
  }
  return parts
}

/** With escapes in it positions do not match: then it is a secret as a whole, or none. */
const inJsonText = (raw: string, text: string, key: string | null, at: number): readonly ValuePart[] => {
  const parts = valueParts(text, key, at)
  if (raw === text) return parts
  const worst = worstOf(parts)
  return [
    { start: at, end: at + raw.length, name: key, value: text, verdict: worst },
    ...parts.map((part) => ({ ...part, start: at, end: at + raw.length })),
  ]
}

const worstOf = (parts: readonly ValuePart[]): Verdict =>
  (['secret', 'unsure'] as const).find((verdict) => parts.some((part) => part.verdict === verdict)) ?? 'plain'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Of valid JSON: a string with its quotes, a number or word, else one character. */
const endOfToken = (text: string, start: number): number => {
  let end = start + 1
  if (text[start] !== '"') {
    const isWord = (at: number) => /[\w.+-]/.test(text[at] ?? '')
    while (isWord(start) && isWord(end)) end++
    return end
  }
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/** `Name: value`; without the space under a name that says secret alone, as `image:tag` has none either. */
const inHeader: Reader = (text, _, at) => {
  const [, name = '', space = '', value = ''] =
    /^([A-Za-z][\w-]{1,100}):(\s*)(?!\/\/)(\S[\s\S]*)$/.exec(text) ?? []
  if (value === '' || (space === '' && !isSecretName(name))) return null
  return valueParts(value, name, at + text.length - value.length)
}

const inScheme: Reader = (text, name, at) => {
  const [, value] = /^(?:Bearer|Basic|Token|Api-?Key|Key|Bot)\s+(\S+)$/i.exec(text) ?? []
  const under = name !== null && isSecretName(name) ? name : 'authorization'
  return value === undefined ? null : [leaf(value, under, at + text.length - value.length)]
}

/** `Server=db;Password=…`, `type=bind,token=…`, `a=1&key=…`. */
const inPairs: Reader = (text, _, at) => {
  const separator = text.includes(';') ? ';' : text.includes('://') ? ',' : text.includes('&') ? '&' : ','
  const pieces = text.split(separator)
  const pairs = pieces.map((piece) => /^\s*([A-Za-z][\w .-]{1,100})=/.exec(piece))
  if (pieces.length < 2 || pieces.some((piece, n) => piece !== '' && !pairs[n])) return null
  // A comma may stand in a password.
  if (separator === ',' && isSecretName(pairs[0]?.[1] ?? '')) return null
  let start = at
  return pieces.flatMap((piece, n) => {
    const [head = '', name = ''] = pairs[n] ?? []
    const parts = piece === '' ? [] : valueParts(piece.slice(head.length), name.trim(), start + head.length)
    start += piece.length + separator.length
    return parts
  })
}

const inPair: Reader = (text, _, at) => {
  const [, name = '', value = ''] = /^(-{0,2}[A-Za-z_][\w.-]{0,200})=([\s\S]*)$/.exec(text) ?? []
  if (name === '' || /^=*$/.test(value) || judgeSecret(name) !== 'plain') return null
  const start = at + text.length - value.length
  // `API_KEY=… npx -y …` is a command line, `PASSWORD=correct horse` is not.
  if (/^\S+\s(?:.*\s)?(?:--?[A-Za-z]|[A-Z_]{2,100}=)/.test(value)) return wordParts(value, name, start)
  return valueParts(value, name.replace(/^-+/, ''), start)
}

/** A text under a name that says secret is one value, and its words are more. */
const inWords: Reader = (text, name, at) => {
  if (!/\S\s+\S/.test(text)) return null
  if (name === null || !isSecretName(name)) return wordParts(text, null, at)
  const whole = leaf(text, name, at)
  return whole.verdict === 'plain' ? [whole] : [whole, ...wordParts(text, name, at)]
}

const wordParts = (text: string, first: string | null, at: number): readonly ValuePart[] => {
  const words: Word[] = []
  let start = 0
  while (start < text.length) {
    const end = endOfWord(text, start)
    if (end > start) words.push({ text: text.slice(start, end), at: at + start })
    start = end + 1
  }
  return argumentParts(words, first).flat()
}

/** Blanks in quotes are part of a word. */
const endOfWord = (text: string, start: number): number => {
  let quote = ''
  let end = start
  for (; end < text.length && (quote !== '' || !/\s/.test(text[end] ?? '')); end++) {
    const letter = text[end] ?? ''
    if (letter === quote) quote = ''
    else if (quote === '' && /["']/.test(letter) && text.includes(letter, end + 1)) quote = letter
  }
  return end
}

interface Word {
  readonly text: string
  readonly at: number
}

/** `first`: what the first of them stands under. An option is the name of what follows it. */
const argumentParts = (
  words: readonly Word[],
  first: string | null = null,
): readonly (readonly ValuePart[])[] =>
  words.map(({ text, at }, n) => {
    const before = words[n - 1]?.text ?? ''
    const [, option, scheme] =
      /^--?([A-Za-z][\w.-]*)$|^(bearer|basic|authorization:|token)$/i.exec(before) ?? []
    const name = n === 0 ? first : (option ?? (scheme === undefined ? null : 'authorization'))
    const isOption = /^--?[A-Za-z]/.test(text) && judgeSecret(text) === 'plain'
    return valueParts(text, isOption ? null : name, at)
  })

const inAddresses: Reader = (text, name, at) => {
  const found = [...text.matchAll(/[A-Za-z][A-Za-z\d+.-]{0,20}:\/\/[^\s"'<>]+/g)]
  if (found.length === 0) return null
  const parts = found.flatMap(({ 0: address, index }) => addressParts(address, at + index))
  const isHidden = name !== null && isSecretName(name) && worstOf(parts) === 'plain'
  return isHidden ? [{ ...leaf(text, name, at), verdict: 'unsure' }] : parts
}

/** RFC 3986: scheme, authority, path, query, fragment. The host is never a secret. */
const addressParts = (address: string, at: number): readonly ValuePart[] => {
  const found = /^([^:]+:\/\/)([^/?#]*)([^?#]*)(\??[^#]*)(#?[\s\S]*)$/.exec(address)
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = found ?? []
  const afterAuthority = at + scheme.length + authority.length
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  return [
    ...userParts(user, at + scheme.length),
    ...(scheme.startsWith('file:') ? [] : pathParts(path, afterAuthority)),
    ...fieldParts(query, afterAuthority + path.length),
    ...fieldParts(fragment, afterAuthority + path.length + query.length),
  ]
}

const userParts = (user: string, at: number): readonly ValuePart[] => {
  const colon = user.indexOf(':')
  if (colon < 0) return user === '' ? [] : [escaped(user, null, at)]
  return [escaped(user.slice(0, colon), null, at), escaped(user.slice(colon + 1), 'password', at + colon + 1)]
}

const pathParts = (path: string, at: number): readonly ValuePart[] => {
  const segments = path.split('/')
  let start = at
  return segments.flatMap((segment, n) => {
    const parts = segment === '' ? [] : segmentParts(segment, segments[n - 1] ?? null, start)
    start += segment.length + 1
    return parts
  })
}

/** `/auth/callback` and `/token/v1` are ordinary paths, `/token/4f9c2a…` is none. */
const segmentParts = (segment: string, before: string | null, at: number): readonly ValuePart[] => {
  if (/^[\w.-]+=./.test(segment)) return fieldParts(`;${segment}`, at - 1)
  const isOrdinary = segment.length < shortestSegment || !/\d/.test(segment)
  const name = before !== null && isSecretName(before) && isOrdinary ? null : before
  return [escaped(segment, name, at)]
}

/** Characters of a segment that is a secret because of the one before. */
const shortestSegment = 8

/** `?name=value&…`, with its first character; what has no name is judged by itself. */
const fieldParts = (fields: string, at: number): readonly ValuePart[] => {
  let start = at + 1
  return fields
    .slice(1)
    .split('&')
    .flatMap((field) => {
      const equals = field.indexOf('=')
      const [name, value] = equals < 0 ? [null, field] : [field.slice(0, equals), field.slice(equals + 1)]
      const parts = value === '' ? [] : [escaped(value, name, start + field.length - value.length)]
      start += field.length + 1
      return parts
    })
}

const escaped = (raw: string, name: string | null, at: number): ValuePart => {
  const value = unescaped(raw)
  return { start: at, end: at + raw.length, name, value, verdict: worstOf(valueParts(value, name)) }
}

export const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `user:password@host`, and `-u user:password`; `image:tag@sha256:…` and `-u 1000:1000` are none. */
const inUserInfo: Reader = (text, name, at) => {
  const [, head = '', password = ''] = /^([^\s:@/]+:)([^\s@/]+)@(?!sha\d)[\w.-]+/.exec(text) ?? []
  if (password !== '') return [leaf(password, 'password', at + head.length)]
  const [, user = '', rest = ''] = /^([^\s:]+:)(\S+)$/.exec(text) ?? []
  if (!/^u(?:ser)?$/.test(name ?? '') || rest === '' || /^\d+:\d+$/.test(text)) return null
  return [leaf(rest, 'password', at + user.length)]
}

const readers: readonly Reader[] = [
  ...[inQuotes, inJson, inHeader, inScheme, inPairs, inPair, inAddresses, inWords, inUserInfo],
]
