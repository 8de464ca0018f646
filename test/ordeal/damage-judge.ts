/** Judges the answers of a damaged home: each must equal the earlier answer or report damage. */
import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../facts/persona-journal.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { Answers, JournalAnswers, PersonaAnswers } from './daemon-answers.ts'
import type { HostedPersona } from './damaged-home.ts'
import type { Damage } from './damages.ts'

export interface Judgement {
  readonly outcome: 'harmless' | 'detected'
  readonly faults: readonly string[]
}

/** `firstBad`: the lowest position of a lost record, if known. */
export const judge = (
  damage: Damage,
  hostedPersonas: readonly HostedPersona[],
  answersBefore: Answers,
  answersNow: Answers,
  firstBad: number | undefined,
): Judgement => {
  if (typeof answersBefore === 'string' || typeof answersNow === 'string')
    return { outcome: 'detected', faults: [`the home does not answer: ${answersNow}`] }
  const faults: string[] = []
  let outcome: Judgement['outcome'] = 'harmless'
  for (const { id } of hostedPersonas) {
    const was = answersBefore[id]
    const is = answersNow[id]
    if (!was || !is) throw new Error(`${id} was not asked`)
    if (isDeepStrictEqual(was, is)) continue
    outcome = 'detected'
    const foundFaults = damage.file.includes(id)
      ? findDifferences(damage, was, is, firstBad)
      : [`another persona answers ${describeDifference(was, is)}`]
    faults.push(...foundFaults)
  }
  const isHidden = firstBad !== undefined && outcome === 'harmless' && damage.target !== 'daemon'
  return { outcome, faults: isHidden ? ['a record was lost and no answer reports it'] : faults }
}

const findDifferences = (
  damage: Damage,
  was: PersonaAnswers,
  is: PersonaAnswers,
  firstBad: number | undefined,
): readonly string[] => {
  if (damage.kind === 'secrets')
    return isDeepStrictEqual({ ...is, key: was.key }, was) && isNoKey(is.key)
      ? []
      : [describeDifference(was, is)]
  // Uploaded files have no checksum: their bytes are served as they are stored.
  if (damage.kind === 'media')
    return isDeepStrictEqual({ ...is, otherLines: was.otherLines }, was) ? [] : [describeDifference(was, is)]
  return findJournalFaults(was, is, firstBad)
}

const isNoKey = (key: string | null): boolean => key === null || key.startsWith('Unavailable')

function* findFaults(
  was: PersonaAnswers,
  is: PersonaAnswers,
  firstBad: number | undefined,
): Generator<string> {
  const readable = typeof is.journalAnswers !== 'string'
  if (is.trouble === null && readable)
    return yield `it is not sick, but answers ${describeDifference(was, is)}`
  if (!is.listedLines.every((self, n) => self === was.listedLines[n] || isSick(self)))
    yield `it is listed as ${is.listedLines}`
  const [would] = is.otherLines
  if (was.otherLines.length === 1 && !would?.startsWith('Damaged'))
    yield `an update is answered with ${would}`
  if (was.otherLines.length > 1 && !is.otherLines[1]?.startsWith('500 {"detail":"JournalDamaged: '))
    yield `an update is answered with ${is.otherLines[1]}`
  if (!isDeepStrictEqual(is.otherLines.slice(2), was.otherLines.slice(2))) yield 'its files differ'
  if (typeof is.journalAnswers === 'string' && !/^(Damaged|500 JournalDamaged): /.test(is.journalAnswers))
    yield `reading fails with ${is.journalAnswers}`
  if (typeof is.journalAnswers !== 'string' && typeof was.journalAnswers !== 'string')
    yield* findMisreads(was.journalAnswers, is, is.journalAnswers, firstBad)
}

const findJournalFaults = (
  was: PersonaAnswers,
  is: PersonaAnswers,
  firstBad: number | undefined,
): readonly string[] => [...findFaults(was, is, firstBad)]

const isSick = (self: string): boolean => JSON.parse(self)?.status === 'sick'

function* findMisreads(
  was: JournalAnswers,
  answers: PersonaAnswers,
  is: JournalAnswers,
  firstBad: number | undefined,
): Generator<string> {
  for (const list of ['facts', 'talk', 'plans'] as const)
    if (!is[list].every((entry, n) => entry === was[list][n]))
      yield `its ${list} are not the ones that were written`
  if (is.facts.length === 0 && was.facts.length === 0) return
  const untilSeq = is.facts.length
  if (!was.heardSeqs.every((seq, n) => is.heardSeqs[n] === (seq !== null && seq <= untilSeq ? seq : null)))
    yield `received ${is.heardSeqs}`
  if (!is.parts.every((part, n) => part === null || part === was.parts[n]))
    yield 'a part is not the one that was stored'
  const { intact, events } = is.verdict
  if (intact || events !== untilSeq || is.verdict.firstBad !== untilSeq + 1)
    yield `the verdict on ${untilSeq} is ${JSON.stringify(is.verdict)}`
  if (firstBad !== undefined && is.verdict.firstBad !== firstBad)
    yield `first bad is ${is.verdict.firstBad}, not ${firstBad}`
  if (answers.state && !isDeepStrictEqual(JSON.parse(answers.state), foldFacts(was.facts.slice(0, untilSeq))))
    yield 'its state does not match its facts'
}

const foldFacts = (facts: readonly string[]): unknown => {
  let persona: Persona | undefined
  for (const fact of facts) persona = evolve(persona, JSON.parse(fact) as Entry)
  return JSON.parse(JSON.stringify(persona))
}

const describeDifference = (was: PersonaAnswers, is: PersonaAnswers): string => {
  const toShortText = (value: unknown): string => JSON.stringify(value).slice(0, 300)
  for (const name of ['trouble', 'listedLines', 'otherLines', 'key', 'state'] as const)
    if (!isDeepStrictEqual(was[name], is[name]))
      return `${name} ${toShortText(is[name])} instead of ${toShortText(was[name])}`
  if (typeof was.journalAnswers === 'string' || typeof is.journalAnswers === 'string')
    return `read ${toShortText(is.journalAnswers)}`
  for (const name of ['breakReason', 'verdict', 'heardSeqs', 'parts'] as const)
    if (!isDeepStrictEqual(was.journalAnswers[name], is.journalAnswers[name]))
      return `${name} ${toShortText(is.journalAnswers[name])} instead of ${toShortText(was.journalAnswers[name])}`
  const count = ({ facts, talk, plans }: JournalAnswers) =>
    `${facts.length} facts, ${talk.length} of talk, ${plans.length} of plans`
  return `${count(is.journalAnswers)} instead of ${count(was.journalAnswers)}`
}
