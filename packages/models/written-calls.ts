/**
 * Reads tool calls that a model writes as text, because its runtime does not parse the format of its chat
 * template. Holds back text only while it can become a call. Formats, from the models' chat templates:
 * Hermes, Qwen and GLM (`<tool_call>`), Mistral (`[TOOL_CALLS]`), Llama 3 (`<|python_tag|>`, or an answer
 * that is only JSON), DeepSeek (`<｜tool▁calls▁begin｜>`). Small models also write `name(key="value")`.
 */
import { isObject } from '../kit/is-object.ts'
import {
  type Block,
  type BlockFormat,
  blockFormats,
  type NamedCall,
  readJsonEnd,
  readName,
} from './call-blocks.ts'
import { mayBeCallCode, readCallCode } from './call-code.ts'
import { toInput } from './call-ids.ts'
import type { ToolSpec } from './mind.ts'

/** `input` is the raw text if the call cannot be parsed. */
export interface WrittenCall {
  readonly name: string
  readonly input: unknown
}

export interface WrittenCalls {
  /** Takes a piece of the answer and returns the text that is certainly not part of a call. */
  next(text: string): string
  end(): string
  /** Returns the calls read so far, in their order. */
  calls(): readonly WrittenCall[]
}

/** `between`: only whitespace since the beginning or since the last call. */
type State = 'start' | 'between' | 'text' | 'call'

/** A call must name one of the tools; otherwise it is text. An incomplete call is returned as unreadable. */
export const createWrittenCalls = (tools: readonly ToolSpec[]): WrittenCalls => {
  const names = tools.map(({ name }) => name)
  const foundCalls: WrittenCall[] = []
  let state: State = names.length > 0 ? 'start' : 'text'
  let format: BlockFormat | undefined
  let buffer = ''
  let shownText = ''

  const takeText = (length: number): string => {
    const text = buffer.slice(0, length)
    buffer = buffer.slice(length)
    shownText += text
    return text
  }

  // Each step returns text to show, or undefined to wait for more.
  const steps: Readonly<Record<State, (isEnd: boolean) => string | undefined>> = {
    start: (isEnd) => {
      const code = readCallCode(buffer, names, isEnd)
      if (code) {
        foundCalls.push(code.call)
        buffer = buffer.slice(code.length).trimStart()
        return ''
      }
      if (mayBeCallCode(buffer, names) && !isEnd) return undefined
      const wholeResult = readWhole(buffer, names)
      if (wholeResult === 'open' && !isEnd) return undefined
      const calls = wholeResult === 'text' ? [] : toWholeCalls(buffer, tools)
      state = 'between'
      foundCalls.push(...calls)
      if (calls.length > 0) buffer = ''
      return ''
    },
    text: (isEnd) => {
      const marker = names.length > 0 ? findMarker(buffer, shownText) : undefined
      if (marker) {
        format = marker.format
        state = 'call'
        return takeText(marker.at)
      }
      const heldLength = isEnd || names.length === 0 ? 0 : longestMarkerStart(buffer)
      return heldLength === buffer.length ? undefined : takeText(buffer.length - heldLength)
    },
    call: (isEnd) => {
      const block = format?.read(buffer, { names, isEnd })
      if (!block) return undefined
      const calls = toCalls(block, tools)
      state = calls.length > 0 ? 'between' : 'text'
      foundCalls.push(...calls)
      if (calls.length === 0) return takeText(Math.max(block.length, 1))
      buffer = buffer.slice(block.length)
      return ''
    },
    between: (isEnd) => {
      const rest = buffer.trimStart()
      const isOpen = longestMarkerStart(rest) === rest.length
      if (isOpen && !isEnd) return undefined
      const isDropped =
        rest === '' || (shownText === '' && foundCalls.length > 0) || findMarker(rest, '')?.at === 0
      if (isDropped) buffer = rest
      state = 'text'
      return ''
    },
  }
  const advance = (isEnd: boolean): string => {
    let text = ''
    while (buffer !== '') {
      const part = steps[state](isEnd)
      if (part === undefined) break
      text += part
    }
    return text
  }
  return {
    next: (text) => {
      buffer += text
      return advance(false)
    },
    end: () => advance(true),
    calls: () => foundCalls,
  }
}

// --- calls within the text

const quotes = '"\'`“«'

/** Ignores quoted markers, and those in a code block. */
const findMarker = (
  text: string,
  textBefore: string,
): { readonly at: number; readonly format: BlockFormat } | undefined => {
  const markers = blockFormats
    .flatMap((format) => findAll(text, format.marker).map((index) => ({ at: index, format })))
    .sort((a, b) => a.at - b.at)
  return markers.find(({ at }) => {
    const previous = textBefore + text.slice(0, at)
    if (previous !== '' && quotes.includes(previous.slice(-1))) return false
    return (previous.match(/^[ \t]*```/gm) ?? []).length % 2 === 0
  })
}

const findAll = (text: string, part: string): readonly number[] => {
  const places: number[] = []
  for (
    let position = text.indexOf(part);
    position >= 0;
    position = text.indexOf(part, position + part.length)
  )
    places.push(position)
  return places
}

/** Returns the number of UTF-16 units at the end that may start a marker. */
const longestMarkerStart = (text: string): number => {
  const longestMarker = Math.max(...blockFormats.map(({ marker }) => marker.length)) - 1
  for (let length = Math.min(longestMarker, text.length); length > 0; length--) {
    const tail = text.slice(-length)
    if (blockFormats.some(({ marker }) => marker.length > length && marker.startsWith(tail))) return length
  }
  return 0
}

/** Returns no calls if none of them names a tool. */
const toCalls = (block: Block, tools: readonly ToolSpec[]): readonly WrittenCall[] => {
  if (block.calls === 'none') return []
  const calls = block.calls.flatMap((call) =>
    'value' in call ? readCalls(call.value) : toNamed(call, tools),
  )
  if (block.broken) return [...calls, { name: block.broken.name ?? 'tool_call', input: block.broken.text }]
  return calls.some(({ name }) => isTool(name, tools)) ? calls : []
}

const isTool = (name: string, tools: readonly ToolSpec[]): boolean => tools.some((tool) => tool.name === name)

/** Values of such calls are untyped text. Only the tool's schema shows which of them are strings. */
const toNamed = ({ name, input }: NamedCall, tools: readonly ToolSpec[]): WrittenCall => {
  if (typeof input === 'string') return { name, input: toInput(input) }
  const properties = tools.find((tool) => tool.name === name)?.parameters.properties
  const isText = (key: string) => {
    const schema = isObject(properties) ? properties[key] : undefined
    return isObject(schema) && schema.type === 'string'
  }
  const entries = input.map(([key, value]) => [key, isText(key) ? value : toInput(value.trim())])
  return { name, input: Object.fromEntries(entries) }
}

/** Reads one call or a list of calls from JSON. */
const readCalls = (value: unknown): readonly WrittenCall[] => {
  if (Array.isArray(value)) return value.flatMap(readCalls)
  if (!isObject(value)) return []
  if (Array.isArray(value.tool_calls)) return readCalls(value.tool_calls)
  const call = isObject(value.function) ? value.function : value
  const name = call.name ?? call.function
  if (typeof name !== 'string' || name === '') return []
  return [{ name, input: toInput(call.arguments ?? call.parameters) }]
}

// --- an answer that is only JSON, in a code block or not

const callKeys = ['name', 'function', 'arguments', 'parameters', 'type', 'id', 'tool_calls']
const fenceLabels = ['', 'json', 'tool_call', 'tool_calls']

/** Replaces line breaks that a model wrote as a backslash and a letter, outside of strings. */
const withLineBreaks = (json: string): string => {
  if (!/^[^"]*\\/.test(json)) return json
  let isInString = false
  return json.replace(/\\[\s\S]?|"/g, (part) => {
    if (isInString) isInString = part !== '"'
    else if (part.endsWith('"')) isInString = true
    else return /^\\[nrt]?$/.test(part) ? '\n' : part
    return part
  })
}

/** Returns `text` as soon as the answer cannot be calls only. */
const readWhole = (answer: string, names: readonly string[]): 'open' | 'text' => {
  const text = withLineBreaks(answer.trimStart())
  if (text === '' || '```'.startsWith(text)) return 'open'
  if (!text.startsWith('```')) return readValues(text, names, /^$/)
  const lineEnd = text.indexOf('\n')
  const label = text.slice(3, lineEnd < 0 ? undefined : lineEnd).trim()
  if (lineEnd < 0) return fenceLabels.some((name) => name.startsWith(label)) ? 'open' : 'text'
  return fenceLabels.includes(label) ? readValues(text.slice(lineEnd), names, /^`{0,3}\s*$/) : 'text'
}

/** `rest`: matches what may follow the last value. */
const readValues = (json: string, names: readonly string[], rest: RegExp): 'open' | 'text' => {
  const text = json.trimStart()
  if (text === '') return 'open'
  if (!mayBeCall(text, names)) return 'text'
  const end = readJsonEnd(text)
  if (end === undefined) return 'open'
  const remainingText = text.slice(end).trimStart()
  if (rest.test(remainingText)) return 'open'
  return /^[;{]/.test(remainingText) ? readValues(remainingText.replace(/^;/, ''), names, rest) : 'text'
}

/** Returns false as soon as the beginning of a JSON value shows that it is not a call of these tools. */
const mayBeCall = (json: string, names: readonly string[]): boolean => {
  const text = json.replace(/^\[\s*/, '')
  if (text === '') return true
  const [beginning, key = '', isKeyOver] = /^\{\s*(?:"([^"]*)("?))?/.exec(text) ?? []
  if (beginning === undefined) return false
  if (!isKeyOver) return beginning.length === text.length && callKeys.some((name) => name.startsWith(key))
  if (!callKeys.includes(key)) return false
  if (key !== 'name') return true
  const [, name, isNameOver] = /^\s*:\s*"([^"]*)("?)/.exec(text.slice(beginning.length)) ?? []
  if (name === undefined) return /^\s*(?::\s*)?$/.test(text.slice(beginning.length))
  return isNameOver ? names.includes(name) : names.some((tool) => tool.startsWith(name))
}

/** Returns no calls unless the whole answer consists of calls of these tools. */
const toWholeCalls = (answer: string, tools: readonly ToolSpec[]): readonly WrittenCall[] => {
  const calls: WrittenCall[] = []
  let text = withLineBreaks(answer.trim()).replace(/^```[\w-]*\s*/, '')
  while (text !== '' && !/^`+$/.test(text)) {
    const json = text.slice(0, readJsonEnd(text))
    const read = toWholeCall(json)
    if (read.length === 0 || !read.every(({ name }) => isTool(name, tools))) return []
    calls.push(...read)
    text = text.slice(json.length).replace(/^[\s;]+/, '')
  }
  return calls
}

const toWholeCall = (json: string): readonly WrittenCall[] => {
  const value = toInput(json)
  const name = readName(json)
  if (typeof value === 'string') return name === null ? [] : [{ name, input: json }]
  return /"(?:arguments|parameters)"/.test(json) ? readCalls(value) : []
}
