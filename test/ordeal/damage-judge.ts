/** Judges the answers of a damaged home: each must equal the earlier answer or report damage. */
import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../journal/log/journal.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { Answers, JournalAnswers, PersonaAnswers } from './asking.ts'
import type { Hosted } from './damaged-home.ts'
import type { Damage } from './damages.ts'

export interface Judgement {
  readonly outcome: 'harmless' | 'detected'
  readonly faults: readonly string[]
}

/** `firstBad`: the lowest position of a lost record, if known. */
export const judge = (
  damage: Damage,
  hosted: readonly Hosted[],
  before: Answers,
  now: Answers,
  firstBad: number | undefined,
): Judgement => {
  if (typeof before === 'string' || typeof now === 'string')
    return { outcome: 'detected', faults: [`the home does not answer: ${now}`] }
  const faults: string[] = []
  let outcome: Judgement['outcome'] = 'harmless'
  for (const { id } of hosted) {
    const was = before[id]
    const is = now[id]
    if (!was || !is) throw new Error(`${id} was not asked`)
    if (isDeepStrictEqual(was, is)) continue
    outcome = 'detected'
    const foundFaults = damage.file.includes(id)
      ? findDifferences(damage, was, is, firstBad)
      : [`another persona answers ${describeDifference(was, is)}`]
    faults.push(...foundFaults)
  }
  const unseen = firstBad !== undefined && outcome === 'harmless' && damage.by !== 'daemon'
  return { outcome, faults: unseen ? ['a record was lost and no answer reports it'] : faults }
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
    return isDeepStrictEqual({ ...is, others: was.others }, was) ? [] : [describeDifference(was, is)]
  return findJournalFaults(was, is, firstBad)
}

const isNoKey = (key: string | null): boolean => key === null || key.startsWith('Unavailable')

function* findFaults(
  was: PersonaAnswers,
  is: PersonaAnswers,
  firstBad: number | undefined,
): Generator<string> {
  const readable = typeof is.read !== 'string'
  if (is.trouble === null && readable)
    return yield `it is not sick, but answers ${describeDifference(was, is)}`
  if (!is.listed.every((self, n) => self === was.listed[n] || isSick(self)))
    yield `it is listed as ${is.listed}`
  const [would] = is.others
  if (was.others.length === 1 && !would?.startsWith('Damaged')) yield `an update is answered with ${would}`
  if (was.others.length > 1 && !is.others[1]?.startsWith('500 {"detail":"JournalDamaged: '))
    yield `an update is answered with ${is.others[1]}`
  if (!isDeepStrictEqual(is.others.slice(2), was.others.slice(2))) yield 'its files differ'
  if (typeof is.read === 'string' && !/^(Damaged|500 JournalDamaged): /.test(is.read))
    yield `reading fails with ${is.read}`
  if (typeof is.read !== 'string' && typeof was.read !== 'string')
    yield* findMisreads(was.read, is, is.read, firstBad)
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
  const upTo = is.facts.length
  if (!was.heard.every((seq, n) => is.heard[n] === (seq !== null && seq <= upTo ? seq : null)))
    yield `received ${is.heard}`
  if (!is.parts.every((part, n) => part === null || part === was.parts[n]))
    yield 'a part is not the one that was stored'
  const { intact, events } = is.verdict
  if (intact || events !== upTo || is.verdict.firstBad !== upTo + 1)
    yield `the verdict on ${upTo} is ${JSON.stringify(is.verdict)}`
  if (firstBad !== undefined && is.verdict.firstBad !== firstBad)
    yield `first bad is ${is.verdict.firstBad}, not ${firstBad}`
  if (answers.state && !isDeepStrictEqual(JSON.parse(answers.state), foldFacts(was.facts.slice(0, upTo))))
    yield 'its state does not match its facts'
}

const foldFacts = (facts: readonly string[]): unknown => {
  let persona: Persona | undefined
  for (const fact of facts) persona = evolve(persona, JSON.parse(fact) as Entry)
  return JSON.parse(JSON.stringify(persona))
}

const describeDifference = (was: PersonaAnswers, is: PersonaAnswers): string => {
  const toShortText = (value: unknown): string => JSON.stringify(value).slice(0, 300)
  for (const name of ['trouble', 'listed', 'others', 'key', 'state'] as const)
    if (!isDeepStrictEqual(was[name], is[name]))
      return `${name} ${toShortText(is[name])} instead of ${toShortText(was[name])}`
  if (typeof was.read === 'string' || typeof is.read === 'string') return `read ${toShortText(is.read)}`
  for (const name of ['broke', 'verdict', 'heard', 'parts'] as const)
    if (!isDeepStrictEqual(was.read[name], is.read[name]))
      return `${name} ${toShortText(is.read[name])} instead of ${toShortText(was.read[name])}`
  const count = ({ facts, talk, plans }: JournalAnswers) =>
    `${facts.length} facts, ${talk.length} of talk, ${plans.length} of plans`
  return `${count(is.read)} instead of ${count(was.read)}`
}
