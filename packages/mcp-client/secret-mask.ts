/**
 * Masks the secrets of one server in texts and bytes.
 *
 * A secret is masked everywhere, also when encoded as JSON, in addresses, forms, base64 or hex. A short
 * secret, a number or a single word is masked only directly after its name (`PIN=4711`, `--pin 4711`,
 * `"pin":"4711"`), or before a host (`:4711@`), so that `weather` in a description stays readable.
 */
import { isMaskedAnywhere, minMaskedLength } from '../kit/secret-judge.ts'
import { declaredTexts, unescapeText } from './secret-parts.ts'
import type { NamedSecret, ServerConfig } from './server-config.ts'

export interface SecretMask {
  /** Also used for secrets that become known later, such as tokens. */
  hide(secret: string, name?: string | null): void
  text(text: string): string
  /** Masks all texts in a value, and all field names. */
  value(value: unknown): unknown
  /** Replaces the bytes of secrets with asterisks. The length stays the same. */
  bytes(bytes: Uint8Array): Uint8Array
}

const placeholder = '***'

/** `hide` is also called with each encoding of a secret, for the daemon's log. */
export const createSecretMask = (hide: (secret: string) => void): SecretMask => {
  let spellings: readonly string[] = []
  const behindNames = new Map<string, RegExp>()
  const maskText = (text: string): string => {
    const rest = spellings.reduce(
      (maskedText, spelling) => maskedText.replaceAll(spelling, placeholder),
      text,
    )
    return [...behindNames.values()].reduce(
      (maskedText, expression) => maskedText.replace(expression, `$1${placeholder}`),
      rest,
    )
  }
  const maskedValue = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(maskedValue)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [maskText(name), maskedValue(inner)]),
    )
  }
  return {
    hide: (secret, name = null) => {
      if (isMaskedAnywhere(secret)) {
        const newSpellings = getSpellings(secret).filter((spelling) => !spellings.includes(spelling))
        // Longest first, because one may be a prefix of another.
        spellings = [...spellings, ...newSpellings].sort((a, b) => b.length - a.length)
        for (const spelling of newSpellings) hide(spelling)
      } else if (secret !== '') behindNames.set(`${name} ${secret}`, createNamePattern(secret, name))
    },
    text: maskText,
    value: maskedValue,
    bytes: (bytes) => maskedBytes(bytes, spellings),
  }
}

/** Makes one pass for all encodings, because a file may have 20 MiB. */
const maskedBytes = (bytes: Uint8Array, spellings: readonly string[]): Uint8Array => {
  const copy = Buffer.from(bytes)
  const byBeginning = new Map<number, Buffer[]>()
  const isBeginning = new Uint8Array(65_536)
  for (const spelling of spellings) {
    const bytesOfSpelling = Buffer.from(spelling)
    const beginning = bytesOfSpelling.readUInt16BE(0)
    isBeginning[beginning] = 1
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), bytesOfSpelling])
  }
  for (let position = 0; position + 1 < copy.length; position++) {
    const beginning = ((copy[position] ?? 0) << 8) | (copy[position + 1] ?? 0)
    if (isBeginning[beginning] === 0) continue
    const positions = byBeginning
      .get(beginning)
      ?.find((bytes) => copy.subarray(position, position + bytes.length).equals(bytes))
    if (positions) copy.fill('*', position, position + positions.length)
  }
  return copy
}

/**
 * Matches a secret after its name. Between them may be `=`, `: `, quotes (also escaped), or `", "` in an
 * array.
 */
const createNamePattern = (secret: string, name: string | null): RegExp => {
  const value = literal(secret)
  const beforeHost = `:(?=${value}@)`
  const afterName =
    name === null ? '' : `|(?:^|[^A-Za-z\\d])${literal(name)}[\\s"'\\\\=:,]{1,8}(?:Bearer\\s{1,4})?`
  // Linear: literal texts with at most twelve characters between them.
  return new RegExp(`(${beforeHost}${afterName})${value}(?![A-Za-z\\d])`, 'gi')
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const getSpellings = (secret: string): readonly string[] => {
  const lines = secret.split(/\r?\n/)
  const texts = [...new Set([secret, unescapeText(secret), ...(lines.length > 1 ? lines : [])])]
  const all = texts.flatMap((text) => {
    const json = inJson(text)
    const address = encodeURIComponent(text.toWellFormed())
    const lowerAddress = address.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
    const hex = Buffer.from(text).toString('hex')
    return [
      ...[text, json, inJson(json), json.replaceAll('/', '\\/'), address, lowerAddress, inForm(text)],
      ...[hex, hex.toUpperCase(), ...inBase64(text)],
    ]
  })
  return [...new Set(all)].filter((spelling) => spelling.length >= minMaskedLength)
}

/** Form encoding escapes more characters than address encoding. */
const inForm = (text: string): string => String(new URLSearchParams({ '': text })).slice(1)
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the encoding of the text alone, and inside a longer text at each of the three alignments. For the
 * latter, only the characters that do not depend on the neighbours.
 */
const inBase64 = (text: string): readonly string[] => {
  const bytes = Buffer.from(text)
  const innerForms = [0, 1, 2].map((shift) => {
    const encodedText = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const end = Math.floor((8 * (shift + bytes.length)) / 6)
    return encodedText.slice(Math.ceil((8 * shift) / 6), end)
  })
  const all = [bytes.toString('base64'), bytes.toString('base64').replaceAll('=', ''), ...innerForms]
  return [...all, ...all.map((encoding) => encoding.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** Returns the known secrets of a server, and those detected in its texts. */
export const listSecrets = (config: ServerConfig): readonly NamedSecret[] => {
  const { secrets = [], plain = [] } = config.known ?? {}
  const parts = declaredTexts(config).flatMap(({ text, parts: all }) =>
    all.map(({ start, end, ...part }) => ({ ...part, raw: text.slice(start, end) })),
  )
  const knownSecrets = secrets.map(({ name, value }) => ({
    name: name ?? parts.find((part) => part.value === value || part.raw === value)?.name ?? null,
    value,
  }))
  const detectedParts = parts.filter(
    ({ verdict, value, raw }) => verdict !== 'plain' && !plain.includes(value) && !plain.includes(raw),
  )
  return [
    ...knownSecrets,
    ...detectedParts.flatMap(({ name, value, raw }) => [
      ...[
        { name, value },
        { name, value: raw },
      ],
      ...(name === 'authorization' || name?.toLowerCase() === 'authorization' ? basicPassword(value) : []),
    ]),
  ]
}

/** RFC 7617: the password in `Basic <base64 of user:password>`. */
const basicPassword = (token: string): readonly NamedSecret[] => {
  const text = Buffer.from(token, 'base64').toString('utf8')
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,500}$/.test(text)
    ? [{ name: 'password', value: text.slice(text.indexOf(':') + 1) }]
    : []
}
