/** Parses the JSON that models write: in a code block, with text around it, quoted otherwise, or cut off. */

/** Parses an input that is a string. Returns other inputs and other text unchanged. */
export const parseInput = (input: unknown): unknown =>
  typeof input === 'string' ? (parseLenientJson(input) ?? input) : input

/** Returns undefined if the text contains no object or list. */
export const parseLenientJson = (text: string): object | undefined => {
  const start = text.search(/[{[]/)
  if (start < 0) return undefined
  const json = text.slice(start)
  const candidates = [text, json, closeBrackets(json), closeBrackets(quoteLikeJson(json))]
  for (const candidate of candidates) {
    const value = parse(candidate)
    if (typeof value === 'object' && value !== null) return value
  }
  return undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Ends the text after the first complete value, or closes what is open. Removes trailing commas. */
const closeBrackets = (json: string): string => {
  const open: string[] = []
  let isInString = false
  let end = json.length
  for (let n = 0; n < json.length; n++) {
    const character = json.charAt(n)
    if (isInString) {
      if (character === '\\') n++
      else if (character === '"') isInString = false
      continue
    }
    if (character === '"') isInString = true
    else if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    else if (character === '}' || character === ']') {
      open.pop()
      if (open.length === 0) {
        end = n + 1
        break
      }
    }
  }
  const complete = `${json.slice(0, end)}${isInString ? '"' : ''}`.replace(/[,:]\s*$/, '')
  return `${complete}${open.reverse().join('')}`.replace(/,(\s*[}\]])/g, '$1')
}

/** Double quotes around keys and single-quoted strings; JSON's names for constants of Python. */
const quoteLikeJson = (json: string): string => {
  let result = ''
  /** The last character that is no space. */
  let previous = ''
  for (let position = 0; position < json.length; ) {
    const token = readToken(json, position, previous)
    result += token.json
    previous = token.json.trim().at(-1) ?? previous
    position = token.end
  }
  return result
}

interface Token {
  readonly json: string
  readonly end: number
}

const readToken = (json: string, start: number, previous: string): Token => {
  const character = json.charAt(start)
  if (character === '"') {
    const end = findQuote(json, start, '"', () => true)
    return { json: json.slice(start, end), end }
  }
  if (character === "'" && '{[,:'.includes(previous)) {
    const end = findQuote(json, start, "'", (position) => isBeforeEnd(json, position))
    const inner = json.slice(start + 1, end - 1).replace(/\\'/g, "'")
    if (json.charAt(end - 1) === "'" && end > start + 1) return { json: JSON.stringify(inner), end }
  }
  word.lastIndex = start
  const [name] = word.exec(json) ?? []
  if (name === undefined) return { json: character, end: start + 1 }
  const end = start + name.length
  const next = nextCharacter(json, end)
  if ('{,'.includes(previous) && next === ':') return { json: JSON.stringify(name), end }
  const constant = previous === ':' && ',}]'.includes(next) ? constants[name] : undefined
  return { json: constant ?? name, end }
}

const word = /[A-Za-z_]\w*/y
const constants: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' }

/** Returns the position after the closing quote, or the end of the text. */
const findQuote = (
  json: string,
  start: number,
  quote: string,
  isEnd: (position: number) => boolean,
): number => {
  for (let position = start + 1; position < json.length; position++) {
    if (json.charAt(position) === '\\') position++
    else if (json.charAt(position) === quote && isEnd(position + 1)) return position + 1
  }
  return json.length
}

/** Returns whether a string may end here. */
const isBeforeEnd = (json: string, position: number): boolean =>
  ',:}]'.includes(nextCharacter(json, position))

/** Max spaces that are skipped, so that many quotes before many spaces take linear time. */
const maxSpaces = 100

/** Returns the next character that is no space; empty at the end. */
const nextCharacter = (json: string, start: number): string => {
  let position = start
  while (position < start + maxSpaces && json.charAt(position) !== '' && json.charAt(position).trim() === '')
    position++
  return json.charAt(position).trim()
}
