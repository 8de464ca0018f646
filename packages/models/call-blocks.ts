/** The formats in which models write tool calls between text. Each begins with its own marker. */

/** `input`: arguments as JSON, or as pairs of a name and an untyped text. */
export interface NamedCall {
  readonly name: string
  readonly input: string | readonly (readonly [string, string])[]
}

/** `value`: one call or a list of calls as parsed JSON. */
type BlockCall = NamedCall | { readonly value: unknown }

/** A call that is incomplete or invalid. `name` is null if it is not known. */
interface BrokenCall {
  readonly name: string | null
  readonly text: string
}

export interface Block {
  /** In UTF-16 units, with the marker. */
  readonly length: number
  /** `none`: the text after the marker is not a call. */
  readonly calls: readonly BlockCall[] | 'none'
  /** Follows the other calls. */
  readonly broken: BrokenCall | null
}

interface Reading {
  readonly names: readonly string[]
  /** True if no more text follows. */
  readonly isEnd: boolean
}

export interface BlockFormat {
  readonly marker: string
  /** `text` begins with the marker. Returns undefined if the block is incomplete and more text may follow. */
  read(text: string, reading: Reading): Block | undefined
}

const noCall = (length: number): Block => ({ length, calls: 'none', broken: null })

/** The block ends with the text. Without a name, the name is read from its JSON. */
const toBroken = (text: string, name: string | null = readName(text)): Block => ({
  length: text.length,
  calls: [],
  broken: { name, text },
})

export const readName = (json: string): string | null =>
  /"name"\s*:\s*"([\w.:-]{1,64})"/.exec(json)?.[1] ?? null

/**
 * Returns the position after the JSON object or list at the beginning, or undefined if it is incomplete. Does
 * not check the syntax.
 */
export const readJsonEnd = (text: string): number | undefined => {
  const signs = /["{}[\]]/g
  const stringSigns = /["\\]/g
  let depth = 0
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (sign[0] === '"') {
      stringSigns.lastIndex = signs.lastIndex
      let inner = stringSigns.exec(text)
      while (inner && inner[0] === '\\') {
        stringSigns.lastIndex = inner.index + 2
        inner = stringSigns.exec(text)
      }
      if (!inner) return undefined
      signs.lastIndex = stringSigns.lastIndex
      continue
    }
    depth += sign[0] === '{' || sign[0] === '[' ? 1 : -1
    if (depth <= 0) return signs.lastIndex
  }
  return undefined
}

const parseJson = (json: string): BlockCall | undefined => {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}

interface JsonValues {
  readonly calls: readonly BlockCall[]
  /** The position after the last complete value. */
  readonly end: number
  readonly broken: BrokenCall | null
  readonly isComplete: boolean
}

/** Reads the values at the beginning. `separator`: matches text between two values. */
const readJsonValues = (text: string, from: number, separator: RegExp): JsonValues => {
  const calls: BlockCall[] = []
  let end = from
  let brokenCall: BrokenCall | null = null
  for (;;) {
    const gap = separator.exec(text.slice(end))?.[0].length ?? 0
    const start = end + gap
    if (!/^[{[]/.test(text.slice(start, start + 1)))
      return { calls, end, broken: brokenCall, isComplete: true }
    const rest = text.slice(start)
    const length = readJsonEnd(rest)
    if (length === undefined) return { calls, end, broken: toBroken(rest).broken, isComplete: false }
    const json = rest.slice(0, length)
    const call = parseJson(json)
    if (call) calls.push(call)
    else brokenCall = toBroken(json).broken
    end = start + length
  }
}

/** Returns the text after a marker and spaces, and its position. */
const findBody = (text: string, marker: string): { readonly body: string; readonly bodyStart: number } => {
  const body = text.slice(marker.length).trimStart()
  return { body, bodyStart: text.length - body.length }
}

const closing = '</tool_call>'

/** Hermes and Qwen: JSON. GLM: a name and pairs of tags. Qwen3-Coder: `<function=name>`. */
const taggedCalls: BlockFormat = {
  marker: '<tool_call>',
  read(text, { names, isEnd }) {
    const { body, bodyStart } = findBody(text, this.marker)
    if (body === '') return isEnd ? toBroken(text) : undefined
    if (/^[{[]/.test(body)) {
      const { calls, end, broken, isComplete } = readJsonValues(text, bodyStart, /^\s*/)
      if (!isComplete) {
        if (!isEnd) return undefined
        const closingStart = text.indexOf(closing, bodyStart)
        return { length: closingStart < 0 ? text.length : closingStart + closing.length, calls, broken }
      }
      const rest = text.slice(end).trimStart()
      if (rest.startsWith(closing))
        return { length: text.length - rest.length + closing.length, calls, broken }
      if (!isEnd && closing.startsWith(rest)) return undefined
      return { length: closing.startsWith(rest) ? text.length : end, calls, broken }
    }
    if (!mayBeNamed(body, names)) return noCall(this.marker.length)
    const closingIndex = body.indexOf(closing)
    if (closingIndex < 0 && !isEnd) return undefined
    if (closingIndex < 0) return toBroken(text, /^(?:<function=)?([\w.-]+)/.exec(body)?.[1] ?? null)
    const length = bodyStart + closingIndex + closing.length
    const call = readNamed(body.slice(0, closingIndex))
    return call ? { length, calls: [call], broken: null } : { ...toBroken(text.slice(0, length)), length }
  },
}

const functionTag = '<function='

const mayBeNamed = (body: string, names: readonly string[]): boolean => {
  if (body.startsWith('<')) return body.startsWith(functionTag) || functionTag.startsWith(body)
  const name = /^[\w.-]*/.exec(body)?.[0] ?? ''
  return name === body ? names.some((tool) => tool.startsWith(name)) : names.includes(name)
}

const readNamed = (body: string): BlockCall | undefined => {
  const [, functionName, parameters = ''] = /^<function=([^>]+)>([\s\S]*)$/.exec(body) ?? []
  if (functionName !== undefined)
    return {
      name: functionName.trim(),
      input: listBetween(parameters, '<parameter=', '</parameter>').map((parameter) => {
        const end = parameter.indexOf('>')
        const value = parameter
          .slice(end + 1)
          .replace(/^\n/, '')
          .replace(/\n$/, '')
        return [parameter.slice(0, Math.max(end, 0)).trim(), value] as const
      }),
    }
  const name = /^[\w.-]+/.exec(body)?.[0]
  if (name === undefined) return undefined
  const keys = listBetween(body, '<arg_key>', '</arg_key>')
  const values = listBetween(body, '<arg_value>', '</arg_value>')
  const count = Math.min(keys.length, values.length)
  return { name, input: keys.slice(0, count).map((key, n) => [key.trim(), values[n] ?? ''] as const) }
}

/** Returns the texts between two marks. Not an expression, because that reads to the end for each mark. */
const listBetween = (text: string, open: string, close: string): readonly string[] => {
  const texts: string[] = []
  for (let position = 0; ; ) {
    const start = text.indexOf(open, position)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return texts
    texts.push(text.slice(start + open.length, end))
    position = end + close.length
  }
}

/** A list of calls, or since version 11 of Mistral's tokenizer a name and its arguments. */
const mistralCalls: BlockFormat = {
  marker: '[TOOL_CALLS]',
  read(text, { names, isEnd }) {
    const { body, bodyStart } = findBody(text, this.marker)
    if (body === '') return isEnd ? toBroken(text) : undefined
    if (/^[{[]/.test(body)) {
      const { calls, end, broken, isComplete } = readJsonValues(text, bodyStart, /^\s*/)
      if (!isComplete && !isEnd) return undefined
      return { length: isComplete ? end : text.length, calls, broken }
    }
    const [head, name = ''] = /^([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(?=\{)/.exec(body) ?? []
    if (head === undefined) {
      const isOpen = /^[\w.-]+(?:\[[\w-]*(?:\][\w-]*)?)*\s*$/.test(body)
      if (!isOpen) return noCall(this.marker.length)
      return isEnd ? toBroken(text, /^[\w.-]+/.exec(body)?.[0] ?? null) : undefined
    }
    if (!names.includes(name)) return noCall(this.marker.length)
    const end = readJsonEnd(body.slice(head.length))
    if (end === undefined) return isEnd ? toBroken(text, name) : undefined
    const input = body.slice(head.length, head.length + end)
    return { length: bodyStart + head.length + end, calls: [{ name, input }], broken: null }
  },
}

/** Several calls are separated by semicolons. The marker may also precede code, which is not a call. */
const llamaCalls: BlockFormat = {
  marker: '<|python_tag|>',
  read(text, { isEnd }) {
    const start = this.marker.length
    const body = text.slice(start).trimStart()
    if (body === '') return isEnd ? toBroken(text) : undefined
    if (!/^[{[]/.test(body)) return noCall(start)
    const { calls, end, broken, isComplete } = readJsonValues(text, start, /^\s*;?\s*/)
    if (!isComplete) return isEnd ? { length: text.length, calls, broken } : undefined
    if (!isEnd && ['', ';'].includes(text.slice(end).trim())) return undefined
    return { length: end, calls, broken }
  },
}

const deepSeekBegin = '<｜tool▁call▁begin｜>'
const deepSeekEnd = '<｜tool▁calls▁end｜>'
const deepSeekCallEnd = '<｜tool▁call▁end｜>'
const deepSeekSeparator = '<｜tool▁sep｜>'

/** Reads `name` and a code block with the arguments. */
const readFenced = (block: string): { readonly name: string; readonly input: string } | null => {
  const text = block.trim()
  const start = text.indexOf('```')
  const name = text.slice(0, Math.max(start, 0)).trim()
  if (!/^[\w.-]+$/.test(name) || !text.endsWith('```') || text.length < start + 6) return null
  return {
    name,
    input: text
      .slice(start + 3, -3)
      .replace(/^json/, '')
      .trim(),
  }
}

/** V3 and R1: `function`, then the name and a code block. V3.1: the name, then the arguments. */
const deepSeekCalls: BlockFormat = {
  marker: '<｜tool▁calls▁begin｜>',
  read(text, { isEnd }) {
    const closingStart = text.indexOf(deepSeekEnd)
    if (closingStart < 0 && !isEnd) return undefined
    const body = closingStart < 0 ? text : text.slice(0, closingStart)
    const calls = listBetween(body, deepSeekBegin, deepSeekCallEnd).flatMap((call) => {
      const separator = call.indexOf(deepSeekSeparator)
      if (separator < 0) return []
      const tail = call.slice(separator + deepSeekSeparator.length)
      return readFenced(tail) ?? { name: call.slice(0, separator).trim(), input: tail.trim() }
    })
    const callTexts = body.split(deepSeekBegin).slice(1)
    const last = callTexts.at(-1) ?? ''
    const isWhole = callTexts.length > 0 && callTexts.length === calls.length
    const [, name = null] = /^(?:function<｜tool▁sep｜>)?\s*([\w.-]+)/.exec(last) ?? []
    return {
      length: closingStart < 0 ? text.length : closingStart + deepSeekEnd.length,
      calls,
      broken: isWhole ? null : { name, text: last === '' ? body : last },
    }
  },
}

export const blockFormats: readonly BlockFormat[] = [taggedCalls, mistralCalls, llamaCalls, deepSeekCalls]
