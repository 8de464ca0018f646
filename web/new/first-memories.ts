/** What a person writes down at the beginning, as memories made by hand. */
import { answerTo, client } from '../shared/client.ts'

export interface Written {
  readonly document: 'traits' | 'person'
  readonly text: string
}

/** What the daemon takes as one statement. */
const longest = 300

/** A line is a statement; one that is too long for it, its sentences. */
export const statementsOf = (document: Written['document'], typed: string): readonly Written[] =>
  typed
    .split('\n')
    .map((line) => line.replace(/^\s*[-*•–]\s+/, '').trim())
    .filter((line) => line !== '')
    .flatMap((line) => (line.length > longest ? sentencesOf(line).flatMap(pieces) : line))
    .map((line) => ({ document, text: line }))

export interface Kept {
  /** What could not be kept. */
  readonly left: readonly Written[]
  readonly why: string
}

/** In their order. Written twice, it stands there once. */
export const keepAll = async (id: string, written: readonly Written[]): Promise<Kept> => {
  const left: Written[] = []
  let why = ''
  for (const body of written) {
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/memories', { params: { path: { persona_id: id } }, body }),
    )
    if (answer.ok) continue
    left.push(body)
    why = answer.failure.words
  }
  return { left, why }
}

const sentencesOf = (line: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')

/** Cut between words, as far as there are any. */
const pieces = (sentence: string): readonly string[] => {
  if (sentence.length <= longest) return [sentence]
  const space = sentence.lastIndexOf(' ', longest)
  const end = space > 0 ? space : longest
  return [sentence.slice(0, end), ...pieces(sentence.slice(end).trim())]
}
