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
const quoteLikeJson = (json: string): string =>
  json
    .replace(
      /(?<=[{[,:]\s*)'((?:[^'\\]|\\.|'(?!\s*(?:[,:}\]]|$)))*)'(?=\s*(?:[,:}\]]|$))/g,
      (_, inner: string) => JSON.stringify(inner.replace(/\\'/g, "'")),
    )
    .replace(/(?<=[{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g, '"$1"')
    .replace(/(?<=:\s*)(None|True|False)(?=\s*[,}\]])/g, (word) =>
      word === 'None' ? 'null' : word.toLowerCase(),
    )
