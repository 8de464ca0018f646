/** Resolves the name of a call: former names of tools, other spellings, and the nearest known name. */

type Input = Readonly<Record<string, unknown>>

/** `toInput` converts the former input. */
interface FormerTool {
  readonly tool: string
  readonly toInput: (input: Input) => Input
}

const withOp =
  (op: string) =>
  (input: Input): Input => ({ ...input, op })

/** Former names, which old journals contain and models repeat, and names of the compact profile. */
export const formerTools: Readonly<Record<string, FormerTool>> = {
  cancel_plan: { tool: 'plan', toInput: withOp('cancel') },
  check_calendar: { tool: 'plan', toInput: withOp('list') },
  forget: { tool: 'remember', toInput: withOp('forget') },
  remind: { tool: 'plan', toInput: withOp('add') },
  follow_instruction: { tool: 'instruction', toInput: withOp('read') },
  // Without a body, it removed the instruction.
  learn_instruction: {
    tool: 'instruction',
    toInput: (input) => withOp(hasBody(input) ? 'keep' : 'remove')(input),
  },
}

const hasBody = ({ body }: Input): boolean => typeof body === 'string' && body.trim() !== ''

/** Returns the known name that is equal apart from case, underscores and a prefix; else undefined. */
export const findName = (name: string, knownNames: readonly string[]): string | undefined => {
  if (knownNames.includes(name)) return name
  const spelling = foldName(name)
  const matches = knownNames.filter((knownName) => foldName(knownName) === spelling)
  return matches.length === 1 ? matches[0] : undefined
}

const prefix = /^(?:functions?|tools?|default_api)[.:/]/i

/** Keeps `__`, which separates the server of a tool from its name. No built-in name contains it. */
const foldName = (name: string): string =>
  name
    .trim()
    .replace(prefix, '')
    .split('__')
    .map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .join('__')

/** Returns the known name with the fewest differing letters, if it is similar. */
export const findNearestName = (name: string, knownNames: readonly string[]): string | undefined => {
  const spelling = foldName(name)
  const distances = knownNames.map((knownName) => ({
    knownName,
    distance: isContained(spelling, foldName(knownName)) ? 1 : countEdits(spelling, foldName(knownName)),
  }))
  const [nearest] = distances.sort((first, second) => first.distance - second.distance)
  return nearest && nearest.distance <= Math.max(2, spelling.length / 3) ? nearest.knownName : undefined
}

const isContained = (first: string, second: string): boolean =>
  Math.min(first.length, second.length) >= 4 && (first.includes(second) || second.includes(first))

/** Levenshtein distance. */
const countEdits = (first: string, second: string): number => {
  let row = Array.from({ length: second.length + 1 }, (_, n) => n)
  for (const [n, letter] of [...first].entries()) {
    const next = [n + 1]
    for (const [m, other] of [...second].entries())
      next.push(
        Math.min((row[m] ?? 0) + (letter === other ? 0 : 1), (row[m + 1] ?? 0) + 1, (next[m] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
