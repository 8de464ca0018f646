/**
 * Detects values in the texts of a declaration, each with its name and its verdict: `NAME=value`, headers,
 * addresses, JSON, command line options. Positions are UTF-16 units of the text.
 */
import { isSecretName, judgeSecret, type Verdict } from '../kit/secret-judge.ts'

export interface ValuePart {
  readonly start: number
  readonly end: number
  /** The name of the option, variable, header, key or query field, or null. */
  readonly name: string | null
  /** Without address or JSON escapes. */
  readonly value: string
  readonly verdict: Verdict
}

/** A text of a declaration, and its place. */
export interface DeclaredText {
  readonly field: 'command' | 'args' | 'env' | 'url' | 'headers' | 'client_secret'
  /** For `args` the index, for `env` and `headers` the name. */
  readonly key: string | number | null
  readonly text: string
  /** Parts can be nested: a text after `PASSWORD=` is one, and so is its first word. */
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

/** Returns all texts of a declaration, with or without resolved secrets. */
export const declaredTexts = (declaration: Declaration): readonly DeclaredText[] => {
  const { command, args = [], env = {}, url, headers = {}, oauth } = declaration
  const inArgs = argumentParts(args.map((text) => ({ text, at: 0 })))
  const toNamedTexts = (field: 'env' | 'headers', all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([key, text]) => ({ field, key, text, parts: valueParts(text, key) }))
  const joinSingle = (
    field: 'command' | 'url' | 'client_secret',
    text: string | undefined,
    name: string | null,
  ) => (text === undefined ? [] : [{ field, key: null, text, parts: valueParts(text, name) }])
  return [
    ...joinSingle('command', command, null),
    ...args.map((text, n) => ({ field: 'args' as const, key: n, text, parts: inArgs[n] ?? [] })),
    ...toNamedTexts('env', env),
    ...joinSingle('url', url, null),
    ...toNamedTexts('headers', headers),
    ...joinSingle('client_secret', oauth?.client_secret, 'client_secret'),
  ]
}

/** Returns null if the text has another format. */
type Reader = (text: string, name: string | null, offset: number) => readonly ValuePart[] | null

/** `name`: the name of the whole text. `at` is added to all positions. */
export const valueParts = (text: string, name: string | null, offset = 0): readonly ValuePart[] => {
  for (const read of readers) {
    const parts = read(text, name, offset)
    if (parts) return parts
  }
  return [leaf(text, name, offset)]
}

const leaf = (text: string, name: string | null, offset: number, value = text): ValuePart => ({
  start: offset,
  end: offset + text.length,
  name,
  value,
  verdict: judgeSecret(value, name),
})

const inQuotes: Reader = (text, name, offset) => {
  const [, , inner] = /^(["'])([^"']*)\1$/.exec(text) ?? []
  return inner === undefined ? null : valueParts(inner, name, offset + 1)
}

const inJson: Reader = (text, name, offset) => {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return null
  const parts: ValuePart[] = []
  let key = name
  for (let start = 0; start < text.length; ) {
    const end = endOfToken(text, start)
    const token = text.slice(start, end)
    const raw = token.slice(1, -1)
    if (token.startsWith('"') && /^\s*:/.test(text.slice(end, end + 100))) key = JSON.parse(token)
    else if (token.startsWith('"')) parts.push(...inJsonText(raw, JSON.parse(token), key, offset + start + 1))
    else if (/^[-\d]/.test(token)) parts.push(leaf(token, key, offset + start))
    start = end
  }
  return parts
}

/**
 * If the JSON text has escapes, positions inside it do not match. Then the verdict applies to the whole text.
 */
const inJsonText = (raw: string, text: string, key: string | null, offset: number): readonly ValuePart[] => {
  const parts = valueParts(text, key, offset)
  if (raw === text) return parts
  const worstPart = getWorst(parts)
  return [
    { start: offset, end: offset + raw.length, name: key, value: text, verdict: worstPart },
    ...parts.map((part) => ({ ...part, start: offset, end: offset + raw.length })),
  ]
}

const getWorst = (parts: readonly ValuePart[]): Verdict =>
  (['secret', 'unsure'] as const).find((verdict) => parts.some((part) => part.verdict === verdict)) ?? 'plain'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the end of a token of valid JSON: a string with its quotes, a number, a word, or one other
 * character.
 */
const endOfToken = (text: string, start: number): number => {
  let end = start + 1
  if (text[start] !== '"') {
    const isWord = (index: number) => /[\w.+-]/.test(text[index] ?? '')
    while (isWord(start) && isWord(end)) end++
    return end
  }
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/**
 * Matches `Name: value`. Without the space, only after a secret's name, because `image:tag` looks the same.
 */
const inHeader: Reader = (text, _, offset) => {
  const [, name = '', space = '', value = ''] =
    /^([A-Za-z][\w-]{1,100}):(\s*)(?!\/\/)(\S[\s\S]*)$/.exec(text) ?? []
  if (value === '' || (space === '' && !isSecretName(name))) return null
  return valueParts(value, name, offset + text.length - value.length)
}

const inScheme: Reader = (text, name, offset) => {
  const [, value] = /^(?:Bearer|Basic|Token|Api-?Key|Key|Bot)\s+(\S+)$/i.exec(text) ?? []
  const secretName = name !== null && isSecretName(name) ? name : 'authorization'
  return value === undefined ? null : [leaf(value, secretName, offset + text.length - value.length)]
}

/** Matches `Server=db;Password=…`, `type=bind,token=…`, `a=1&key=…`. */
const inPairs: Reader = (text, _, offset) => {
  const separator = text.includes(';') ? ';' : text.includes('://') ? ',' : text.includes('&') ? '&' : ','
  const pieces = text.split(separator)
  const pairs = pieces.map((piece) => /^\s*([A-Za-z][\w .-]{1,100})=/.exec(piece))
  if (pieces.length < 2 || pieces.some((piece, n) => piece !== '' && !pairs[n])) return null
  // A password may contain a comma.
  if (separator === ',' && isSecretName(pairs[0]?.[1] ?? '')) return null
  let start = offset
  return pieces.flatMap((piece, n) => {
    const [head = '', name = ''] = pairs[n] ?? []
    const parts = piece === '' ? [] : valueParts(piece.slice(head.length), name.trim(), start + head.length)
    start += piece.length + separator.length
    return parts
  })
}

const inPair: Reader = (text, _, offset) => {
  const [, name = '', value = ''] = /^(-{0,2}[A-Za-z_][\w.-]{0,200})=([\s\S]*)$/.exec(text) ?? []
  if (name === '' || /^=*$/.test(value) || judgeSecret(name) !== 'plain') return null
  const start = offset + text.length - value.length
  // `API_KEY=… npx -y …` is a command line, `PASSWORD=correct horse` is not.
  if (/^\S+\s(?:.*\s)?(?:--?[A-Za-z]|[A-Z_]{2,100}=)/.test(value)) return wordParts(value, name, start)
  return valueParts(value, name.replace(/^-+/, ''), start)
}

/** With a secret's name, the whole text is a value, and so are its words. */
const inWords: Reader = (text, name, offset) => {
  if (!/\S\s+\S/.test(text)) return null
  if (name === null || !isSecretName(name)) return wordParts(text, null, offset)
  const wholeText = leaf(text, name, offset)
  return wholeText.verdict === 'plain' ? [wholeText] : [wholeText, ...wordParts(text, name, offset)]
}

const wordParts = (text: string, first: string | null, offset: number): readonly ValuePart[] => {
  const words: Word[] = []
  let start = 0
  while (start < text.length) {
    const end = endOfWord(text, start)
    if (end > start) words.push({ text: text.slice(start, end), at: offset + start })
    start = end + 1
  }
  return argumentParts(words, first).flat()
}

/** Quoted spaces are part of a word. */
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

/** `first`: the name of the first word. An option is the name of the next word. */
const argumentParts = (
  words: readonly Word[],
  first: string | null = null,
): readonly (readonly ValuePart[])[] =>
  words.map(({ text, at }, n) => {
    const previousText = words[n - 1]?.text ?? ''
    const [, option, scheme] =
      /^--?([A-Za-z][\w.-]*)$|^(bearer|basic|authorization:|token)$/i.exec(previousText) ?? []
    const name = n === 0 ? first : (option ?? (scheme === undefined ? null : 'authorization'))
    const isOption = /^--?[A-Za-z]/.test(text) && judgeSecret(text) === 'plain'
    return valueParts(text, isOption ? null : name, at)
  })

const inAddresses: Reader = (text, name, offset) => {
  const addresses = [...text.matchAll(/[A-Za-z][A-Za-z\d+.-]{0,20}:\/\/[^\s"'<>]+/g)]
  if (addresses.length === 0) return null
  const parts = addresses.flatMap(({ 0: address, index }) => addressParts(address, offset + index))
  const isHidden = name !== null && isSecretName(name) && getWorst(parts) === 'plain'
  return isHidden ? [{ ...leaf(text, name, offset), verdict: 'unsure' }] : parts
}

/** RFC 3986: scheme, authority, path, query, fragment. The host is never a secret. */
const addressParts = (address: string, offset: number): readonly ValuePart[] => {
  const match = /^([^:]+:\/\/)([^/?#]*)([^?#]*)(\??[^#]*)(#?[\s\S]*)$/.exec(address)
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = match ?? []
  const afterAuthority = offset + scheme.length + authority.length
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  return [
    ...userParts(user, offset + scheme.length),
    ...(scheme.startsWith('file:') ? [] : pathParts(path, afterAuthority)),
    ...fieldParts(query, afterAuthority + path.length),
    ...fieldParts(fragment, afterAuthority + path.length + query.length),
  ]
}

const userParts = (user: string, offset: number): readonly ValuePart[] => {
  const colon = user.indexOf(':')
  if (colon < 0) return user === '' ? [] : [toEscapedPart(user, null, offset)]
  return [
    toEscapedPart(user.slice(0, colon), null, offset),
    toEscapedPart(user.slice(colon + 1), 'password', offset + colon + 1),
  ]
}

const pathParts = (path: string, offset: number): readonly ValuePart[] => {
  const segments = path.split('/')
  let start = offset
  return segments.flatMap((segment, n) => {
    const parts = segment === '' ? [] : segmentParts(segment, segments[n - 1] ?? null, start)
    start += segment.length + 1
    return parts
  })
}

/** `/auth/callback` and `/token/v1` are ordinary paths, `/token/4f9c2a…` is not. */
const segmentParts = (
  segment: string,
  previousSegment: string | null,
  offset: number,
): readonly ValuePart[] => {
  if (/^[\w.-]+=./.test(segment)) return fieldParts(`;${segment}`, offset - 1)
  const isOrdinary = segment.length < shortestSegment || !/\d/.test(segment)
  const name =
    previousSegment !== null && isSecretName(previousSegment) && isOrdinary ? null : previousSegment
  return [toEscapedPart(segment, name, offset)]
}

/** Min characters of a secret segment after a segment like `token`. */
const shortestSegment = 8

/**
 * Parses `?name=value&…`, including its first character. A field without a name is judged by its value alone.
 */
const fieldParts = (fields: string, offset: number): readonly ValuePart[] => {
  let start = offset + 1
  return fields
    .slice(1)
    .split('&')
    .flatMap((field) => {
      const equals = field.indexOf('=')
      const [name, value] = equals < 0 ? [null, field] : [field.slice(0, equals), field.slice(equals + 1)]
      const parts = value === '' ? [] : [toEscapedPart(value, name, start + field.length - value.length)]
      start += field.length + 1
      return parts
    })
}

const toEscapedPart = (raw: string, name: string | null, offset: number): ValuePart => {
  const value = unescapeText(raw)
  return { start: offset, end: offset + raw.length, name, value, verdict: getWorst(valueParts(value, name)) }
}

export const unescapeText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Matches `user:password@host` and `-u user:password`, but not `image:tag@sha256:…` and `-u 1000:1000`. */
const inUserInfo: Reader = (text, name, offset) => {
  const [, head = '', password = ''] = /^([^\s:@/]+:)([^\s@/]+)@(?!sha\d)[\w.-]+/.exec(text) ?? []
  if (password !== '') return [leaf(password, 'password', offset + head.length)]
  const [, user = '', rest = ''] = /^([^\s:]+:)(\S+)$/.exec(text) ?? []
  if (!/^u(?:ser)?$/.test(name ?? '') || rest === '' || /^\d+:\d+$/.test(text)) return null
  return [leaf(rest, 'password', offset + user.length)]
}

const readers: readonly Reader[] = [
  ...[inQuotes, inJson, inHeader, inScheme, inPairs, inPair, inAddresses, inWords, inUserInfo],
]
