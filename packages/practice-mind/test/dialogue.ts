/**
 * Dialogues with the practice mind, one per file. Each line has one of these forms:
 *
 * # title persona Ada at 2026-11-23T10:15 Europe/Berlin initial local time and time zone > text of the user
 * one message ! tool {"input":…} -> {"kept":"$a"} an expected call and, optionally, its result < text of the
 * persona one expected message, word for word | next line of the message above @ 2026-11-24T09:00 sets the
 * clock; the persona then reports due reminders
 *
 * `$a` is a placeholder for an unknown id. It is bound at its first use and must be equal afterwards.
 */

export interface ExpectedCall {
  readonly type: 'call'
  readonly name: string
  readonly input: unknown
  /** Undefined if any result is accepted. An object may have keys that are not listed here. */
  readonly result: unknown
}

export interface ExpectedWords {
  readonly type: 'words'
  readonly text: string
}

export interface Turn {
  /** Time to which the clock is set before the turn. */
  readonly at: string | undefined
  /** Null if a reminder falls due without a message of the user. */
  readonly message: string | null
  readonly expected: readonly (ExpectedCall | ExpectedWords)[]
  /** Number of its first line in the file. */
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
  message: string | null
  expected: (ExpectedCall | { type: 'words'; text: string })[]
  line: number
}

export const parseDialogue = (source: string): Dialogue => {
  const turns: Open[] = []
  let title = ''
  let persona = 'Ada'
  let wallTime = '2026-11-23T10:15'
  let zone = 'Europe/Berlin'
  let last: ((line: string) => void) | undefined
  const current = (line: number): Open => turns.at(-1) ?? fail(line, 'a turn must begin with > or @')

  for (const [n, row] of source.split('\n').entries()) {
    const [, mark = '', text = ''] = /^(persona|at|[#>!<|@])(?: (.*))?$/.exec(row) ?? []
    const line = n + 1
    const lastTurn = turns.at(-1)
    if (row.trim() === '') continue
    if (mark === '#') title ||= text
    else if (mark === 'persona') persona = text
    else if (mark === 'at') [wallTime = wallTime, zone = zone] = text.split(' ')
    else if (mark === '@') turns.push({ at: text, message: null, expected: [], line })
    else if (mark === '>') {
      // The clock was only set for this message.
      if (lastTurn?.message === null && lastTurn.expected.length === 0) lastTurn.message = text
      else turns.push({ at: undefined, message: text, expected: [], line })
      const turn = current(line)
      last = (line) => {
        turn.message += `\n${line}`
      }
    } else if (mark === '<') {
      const words = { type: 'words' as const, text }
      current(line).expected.push(words)
      last = (line) => {
        words.text += `\n${line}`
      }
    } else if (mark === '|') (last ?? fail(line, 'there is no message to continue'))(text)
    else if (mark === '!') current(line).expected.push(parseCall(text, line))
    else fail(line, 'a line begins with persona, at or one of # > ! < | @')
  }
  return { title, persona, at: wallTime, zone, turns }
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

/** Binds new placeholders of `expected` to ids. With `more`, objects may have keys that are not expected. */
export const matches = (expected: unknown, actualValue: unknown, ids: Ids, allowMore = false): boolean => {
  if (typeof expected === 'string' && /^\$\w+$/.test(expected)) {
    if (typeof actualValue !== 'string') return false
    if (!ids.has(expected)) ids.set(expected, actualValue)
    return ids.get(expected) === actualValue
  }
  if (typeof expected !== 'object' || expected === null) return expected === actualValue
  if (
    typeof actualValue !== 'object' ||
    actualValue === null ||
    Array.isArray(expected) !== Array.isArray(actualValue)
  )
    return false
  const keys = Object.keys(expected)
  if (!allowMore && Object.keys(actualValue).length !== keys.length) return false
  return keys.every((key) =>
    matches(
      (expected as Record<string, unknown>)[key],
      (actualValue as Record<string, unknown>)[key],
      ids,
      allowMore,
    ),
  )
}
