/**
 * Dialogues with the practice mind, one per file, in lines:
 *
 *   # what it shows
 *   persona Ada
 *   at 2026-11-23T10:15 Europe/Berlin      the clock at the start, wall time and zone
 *   > words of the person                  one message
 *   ! tool {"input":…} -> {"kept":"$a"}    a call it makes and, if it matters, what comes back
 *   < words of its own                        one message, word for word
 *   | more of the message above            its next line
 *   @ 2026-11-24T09:00                     the clock moves; what it says then it says by itself
 *
 * `$a` stands for an id that is not known before: bound where it is seen first, the same wherever it stands
 * after.
 */

export interface ExpectedCall {
  readonly type: 'call'
  readonly name: string
  readonly input: unknown
  /** Undefined: whatever comes back. An object may hold more than is written here. */
  readonly result: unknown
}

export interface ExpectedWords {
  readonly type: 'words'
  readonly text: string
}

export interface Turn {
  /** What the clock is set to before it. */
  readonly at: string | undefined
  /** Null: nobody speaks to it, something falls due. */
  readonly said: string | null
  /** In the order in which they come. */
  readonly expected: readonly (ExpectedCall | ExpectedWords)[]
  /** Of its first line in the file. */
  readonly line: number
}

export interface Dialogue {
  readonly title: string
  readonly persona: string
  readonly at: string
  readonly zone: string
  readonly turns: readonly Turn[]
}

type Open = {
  at: string | undefined
  said: string | null
  expected: (ExpectedCall | { type: 'words'; text: string })[]
  line: number
}

export const parseDialogue = (source: string): Dialogue => {
  const turns: Open[] = []
  let [title, persona, at, zone] = ['', 'Ada', '2026-11-23T10:15', 'Europe/Berlin']
  let last: ((more: string) => void) | undefined
  const current = (line: number): Open => turns.at(-1) ?? fail(line, 'nobody has spoken yet')

  for (const [n, row] of source.split('\n').entries()) {
    const [, mark = '', text = ''] = /^(persona|at|[#>!<|@])(?: (.*))?$/.exec(row) ?? []
    const line = n + 1
    const before = turns.at(-1)
    if (row.trim() === '') continue
    if (mark === '#') title ||= text
    else if (mark === 'persona') persona = text
    else if (mark === 'at') [at = at, zone = zone] = text.split(' ')
    else if (mark === '@') turns.push({ at: text, said: null, expected: [], line })
    else if (mark === '>') {
      // A clock that was only moved for these words.
      if (before?.said === null && before.expected.length === 0) before.said = text
      else turns.push({ at: undefined, said: text, expected: [], line })
      const turn = current(line)
      last = (more) => {
        turn.said += `\n${more}`
      }
    } else if (mark === '<') {
      const words = { type: 'words' as const, text }
      current(line).expected.push(words)
      last = (more) => {
        words.text += `\n${more}`
      }
    } else if (mark === '|') (last ?? fail(line, 'there is nothing to go on with'))(text)
    else if (mark === '!') current(line).expected.push(parseCall(text, line))
    else fail(line, 'a line begins with persona, at or one of # > ! < | @')
  }
  return { title, persona, at, zone, turns }
}

const parseCall = (text: string, line: number): ExpectedCall => {
  const [, name, input = '{}', result] = /^(\w+)(?: (\{.*?\}))?(?: -> (.*))?$/.exec(text) ?? []
  try {
    return name
      ? { type: 'call', name, input: JSON.parse(input), result: result && JSON.parse(result) }
      : fail(line, 'a call has a name')
  } catch {
    return fail(line, 'the input or the result is not JSON')
  }
}

const fail = (line: number, reason: string): never => {
  throw new Error(`line ${line}: ${reason}`)
}

export type Ids = Map<string, string>

/**
 * Binds the placeholders of `expected` that are new. With `more`, an object may hold keys that are not
 * expected.
 */
export const matches = (expected: unknown, actual: unknown, ids: Ids, more = false): boolean => {
  if (typeof expected === 'string' && /^\$\w+$/.test(expected)) {
    if (typeof actual !== 'string') return false
    if (!ids.has(expected)) ids.set(expected, actual)
    return ids.get(expected) === actual
  }
  if (typeof expected !== 'object' || expected === null) return expected === actual
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual))
    return false
  const keys = Object.keys(expected)
  if (!more && Object.keys(actual).length !== keys.length) return false
  return keys.every((key) =>
    matches((expected as Record<string, unknown>)[key], (actual as Record<string, unknown>)[key], ids, more),
  )
}
