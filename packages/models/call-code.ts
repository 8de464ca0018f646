/** Reads a tool call that a small model writes as code: `remember(text="They live in Porto.")`. */
import { toInput } from './call-ids.ts'

interface CallCode {
  readonly call: { readonly name: string; readonly input: unknown }
  /** In UTF-16 units. */
  readonly length: number
}

/** Returns true while a text can begin such a call of these tools. */
export const mayBeCallCode = (text: string, names: readonly string[]): boolean => {
  const start = text.trimStart()
  return names.some((name) => `${name}(`.startsWith(start) || start.startsWith(`${name}(`))
}

/** Reads the call at the beginning. Returns undefined if there is none, or if it may be incomplete. */
export const readCallCode = (
  text: string,
  names: readonly string[],
  isEnd: boolean,
): CallCode | undefined => {
  const blank = text.length - text.trimStart().length
  const name = names.find((toolName) => text.startsWith(`${toolName}(`, blank))
  if (name === undefined) return undefined
  const start = blank + name.length + 1
  const end = findEnd(text, start)
  if (end !== undefined)
    return { call: { name, input: readArguments(text.slice(start, end).trim()) }, length: end + 1 }
  return isEnd ? { call: { name, input: text.slice(start) }, length: text.length } : undefined
}

/** Returns the position of the closing parenthesis. */
const findEnd = (text: string, start: number): number | undefined => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (quotes.has(character) && opensString(text, at)) {
      at = findStringEnd(text, at)
      continue
    }
    if ('([{'.includes(character)) depth++
    else if (character === ')' && depth <= 0) return at
    else if (')]}'.includes(character)) depth--
  }
  return undefined
}

const quotes: ReadonlySet<string> = new Set(['"', "'"])

/** An apostrophe within a word opens no string. */
const opensString = (text: string, at: number): boolean =>
  text.charAt(at) === '"' || /[=:(,[{]\s{0,8}$/.test(text.slice(Math.max(0, at - 9), at))

/** Returns the position of the closing quote, or the end of the text. */
const findStringEnd = (text: string, start: number): number => {
  const quote = text.charAt(start)
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === quote && /^\s{0,8}(?:[,)\]}:]|$)/.test(text.slice(at + 1, at + 10)))
      return at
  }
  return text.length
}

/** Returns an object for named arguments, or the value of a single argument without a name. */
const readArguments = (code: string): unknown => {
  if (code === '' || code.startsWith('{')) return toInput(code)
  const fields: [string, unknown][] = []
  for (let at = 0; at < code.length; ) {
    const [head, key = ''] = /^\s*(\w+)\s*[=:]\s*/.exec(code.slice(at)) ?? []
    if (head === undefined) return fields.length === 0 ? readValue(code) : code
    const start = at + head.length
    const end = findValueEnd(code, start)
    fields.push([key, readValue(code.slice(start, end).trim())])
    at = end + 1
  }
  return Object.fromEntries(fields)
}

/** Returns the position of the comma after a value, or the end of the text. */
const findValueEnd = (code: string, start: number): number => {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const character = code.charAt(at)
    if (quotes.has(character) && (at === start || opensString(code, at))) at = findStringEnd(code, at)
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === ',' && depth === 0) return at
  }
  return code.length
}

const readValue = (code: string): unknown => {
  const value = toInput(code)
  const isQuoted = /^(["'])[\s\S]*\1$/.test(code)
  if (typeof value !== 'string' || !isQuoted || value !== code) return value
  return code
    .slice(1, -1)
    .replace(/\\n/g, '\n')
    .replace(/\\(["'\\])/g, '$1')
}
