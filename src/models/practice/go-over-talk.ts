/** Going over what was said, as the practice mind does it: what the person told and it does not know yet, what it carries on, and what the day was like. */
import type { Prompt } from '../mind.ts'
import { carryOf, summaryOf } from './day.ts'
import { goOverElsewhere } from './go-over-import.ts'
import { holds, replacedBy } from './person-facts.ts'
import { first, nameIn, readSections, readStatements, type Statement } from './situation.ts'
import { retell, type Told } from './told.ts'
import { readTranscript } from './transcript.ts'

type Operation =
  | { readonly op: 'keep'; readonly document: string; readonly text: string; readonly sources: readonly number[] }
  | { readonly op: 'revise'; readonly id: string; readonly text: string; readonly sources: readonly number[] }

const mostOperations = 40

/** Nobody speaks with it: the prompt ends with how to answer, and gives it nothing to do. */
export const asksToGoOver = ({ system, tools }: Prompt): boolean =>
  tools.length === 0 &&
  system
    .match(/^# .+$/gm)
    ?.at(-1)
    ?.trimEnd() === '# Your answer'

/** One JSON object, as it is asked for. Throws the reason of the signal. */
export const goOver = async ({ system, messages }: Prompt, signal: AbortSignal): Promise<string> => {
  const lines = readTranscript(
    messages
      .flatMap(({ role, content }) => (role === 'user' ? [content] : []))
      .join('\n')
      .toWellFormed(),
  )
  if (lines.length === 0) return JSON.stringify({ operations: [], carry: '', summary: '' })
  const sections = readSections(system.toWellFormed())
  const textOf = (title: string) =>
    first(sections, title)
      .join('\n')
      .trim()
      .replace(/^Nothing\.$/, '')
  const known = readStatements(first(sections, 'what you know'))
  const forgotten = first(sections, 'what is to stay forgotten').flatMap((line) => /^- (.+)$/.exec(line)?.[1]?.trim() ?? [])
  if (sections.has('the talk')) return goOverElsewhere({ lines, sections, known, forgotten, name: nameIn(system) }, signal)
  const retold = await retell(lines, { known, name: nameIn(system) }, signal)
  const told = retold.told.filter(({ text }) => !forgotten.some((old) => holds(old, text)))
  const hidden = [...forgotten, ...retold.gone]
  return JSON.stringify({
    operations: told.flatMap((fact) => operationFor(fact, known)).slice(0, mostOperations),
    carry: carryOf({ ...retold, lines, hidden, before: textOf('what you carry') }),
    summary: summaryOf({ ...retold, told, lines, hidden, before: textOf('the day so far') }),
  })
}

const operationFor = ({ kept, document, text, sources, of }: Told, known: readonly Statement[]): readonly Operation[] => {
  if (kept) return []
  const old = known.find(({ id }) => id === of) ?? replacedBy({ document, text }, known)
  if (!old) return [{ op: 'keep', document, text, sources }]
  return holds(old.text, text) ? [] : [{ op: 'revise', id: old.id, text, sources }]
}
