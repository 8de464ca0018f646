/** Saves the user's first descriptions of a new persona as statements of its memory. */
import { answerTo, client } from '../shared/client.ts'

export interface NewStatement {
  readonly document: 'persona-trait' | 'person'
  readonly text: string
}

/** The daemon's limit for one statement, in UTF-16 units. */
const maxUnits = 300

/** Splits a text into statements: one per line, or one per sentence if the line is too long. */
export const toStatements = (document: NewStatement['document'], input: string): readonly NewStatement[] =>
  input
    .split('\n')
    .map((line) => line.replace(/^\s*[-*•–]\s+/, '').trim())
    .filter((line) => line !== '')
    .flatMap((line) => (line.length > maxUnits ? splitSentences(line).flatMap(splitAtSpaces) : line))
    .map((line) => ({ document, text: line }))

export interface SaveResult {
  /** The statements that could not be saved. */
  readonly unsaved: readonly NewStatement[]
  readonly reason: string
}

/** Saves the statements in order. A repeated statement is saved once. */
export const saveStatements = async (
  id: string,
  statements: readonly NewStatement[],
): Promise<SaveResult> => {
  const unsaved: NewStatement[] = []
  let reason = ''
  for (const body of statements) {
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/memories', { params: { path: { persona_id: id } }, body }),
    )
    if (answer.ok) continue
    unsaved.push(body)
    reason = answer.failure.message
  }
  return { unsaved, reason }
}

const splitSentences = (line: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')

/** Cuts a sentence between words if possible. */
const splitAtSpaces = (sentence: string): readonly string[] => {
  if (sentence.length <= maxUnits) return [sentence]
  const space = sentence.lastIndexOf(' ', maxUnits)
  const end = space > 0 ? space : maxUnits
  return [sentence.slice(0, end), ...splitAtSpaces(sentence.slice(end).trim())]
}
