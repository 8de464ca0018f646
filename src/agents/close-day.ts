/**
 * The work of its sleep: what was said gone over span by span, and a day closed. Each step is on disk before
 * the next.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import { dateOf } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import { askOver, type Learned, readOver, type Span } from '../mind/memory/consolidate.ts'
import { type Day, readDays, readSpan } from '../mind/memory/spans.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { Unanswered } from '../mind/think.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { OrganCall } from '../persona/rules/life.ts'
import { type Faults, isUnexpected } from './faults.ts'
import { untilKept } from './recording.ts'
import type { AgentLife } from './wiring.ts'

export interface DayDeps extends AgentLife {
  readonly verify: Personas['verify']
  /** Whether something waits that is more urgent. */
  readonly pressing: () => boolean
  /** Talk that could not be gone over, and how often that was tried. */
  readonly trouble: UnreadTalk
  readonly faults: Faults
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}

/**
 * Mutable, for as long as it lives: what is asked again is asked in smaller pieces, and passed over at last.
 */
interface UnreadTalk {
  after: Seq | 0
  tries: number
}

/** Of the budget for a span, after so many tries in vain: down to a single message. */
const shares = [1, 1 / 2, 1 / 4, 1 / 16, 0]
const triesInAll = 6

/**
 * `left`: its Mind gave no answer that could be used, or may not be asked any more today; `more`: there is
 * more than was to be gone over at once.
 */
export type Over = 'all' | 'left' | 'more'

/**
 * Goes over the talk up to a position. Throws `Unanswered` where its Mind cannot be reached, and the signal's
 * reason.
 */
export const goOver = async (upTo: Seq | 0, most: number, deps: DayDeps): Promise<Over> => {
  const { zone } = deps.clock
  for (let spans = 0; spans < most; spans++) {
    deps.signal.throwIfAborted()
    if (deps.pressing()) return 'more'
    const found = await deps.read(async (reading) => {
      const { persona, journal } = reading
      const organs = deps.organs(persona, deps.signal)
      const budget = await organs.budget()
      const span = await readSpan(journal, {
        persona,
        upTo,
        budget,
        zone,
        share: shares[triesAt(persona, deps)] ?? 0,
      })
      return span && { organs, span: { ...span, budget, persona, zone }, spare: await deps.spare(reading) }
    })
    if (!found) return 'all'
    if (!found.spare || !(await overSpan(found.span, found.organs, deps))) return 'left'
  }
  return 'more'
}

const triesAt = ({ days }: Persona, { trouble }: DayDeps): number =>
  trouble.after === days.consolidated ? trouble.tries : 0

/**
 * Whether it was gone over. An answer in another form is asked for once more, then left for the next time;
 * talk that is never answered, or on which the daemon fails each time, is passed over in the end.
 */
const overSpan = async (span: Span, organs: Organs, deps: DayDeps): Promise<boolean> => {
  const { life, signal, trouble } = deps
  const { consolidated: after } = span.persona.days
  const calls: OrganCall[] = []
  const write = (command: Command) => untilKept(deps, () => deps.execute(command))
  const over = (learned: Learned) =>
    write({ type: 'Consolidate', life, after, upTo: span.entries.at(-1)?.seq ?? 0, ...learned, calls })
  try {
    const learned = await learn(span, organs, deps, calls)
    if (learned) {
      await over(learned)
      deps.faults.clear('review')
      return true
    }
  } catch (error) {
    // What was answered before it was cut has its price.
    if (signal.aborted && calls.length > 0)
      await deps.execute({ type: 'RecordCalls', life, cause: 'consolidation', calls }).catch(() => undefined)
    if (signal.aborted) throw error
    if (isUnexpected(error)) deps.faults.add('review', error)
    else if (error instanceof Unanswered) calls.push({ failed: error.failed })
    else throw error
    if (error instanceof Unanswered && error.failed.kind !== 'refused') {
      await write({ type: 'RecordCalls', life, cause: 'consolidation', calls })
      throw error
    }
  }
  const tries = triesAt(span.persona, deps) + 1
  Object.assign(trouble, { after, tries })
  if (tries >= triesInAll) {
    await over({ lessons: [], carry: null, summary: null, borrowed: [] })
    return true
  }
  await write({ type: 'RecordCalls', life, cause: 'consolidation', calls })
  return false
}

const learn = async (
  span: Span,
  organs: Organs,
  deps: DayDeps,
  calls: OrganCall[],
): Promise<Learned | null> => {
  for (const again of [false, true]) {
    const { question, parts } = askOver(span, again)
    const { value, used } = await unlessAborted(organs.ask('thinking', question, parts), deps.signal)
    calls.push({ used })
    const learned = readOver(value, span, deps.newId)
    if (learned) return learned
  }
  return null
}

/** Days that are closed at once: all in one commit would be too long for it after years. */
const mostAtOnce = 50

/**
 * Closes the days that are over, all of them where a person sends it to bed, looks whether its whole journal
 * is what was written, seals it, and lets go of what models were sent long ago. Throws `Refused` sleep_failed
 * where it is not; what keeps the diary from being written.
 */
export const endDay = async (over: Over, by: 'person' | 'clock', deps: DayDeps): Promise<void> => {
  const { id, life, clock, read, execute, verify, signal } = deps
  const { found, summary } = await read(async ({ persona, journal }) => ({
    found: await readDays(journal, persona, persona.days.sleeping ?? journal.head.seq, clock.zone),
    summary: over === 'all' ? (persona.days.summary?.text ?? '') : '',
  }))
  const today = dateOf(clock.now(), clock.zone)
  // What it has in mind of it is of the day on which most was said.
  const longest = found.reduce<Day | null>(
    (most, day) => (most && most.messages >= day.messages ? most : day),
    null,
  )
  const days = found
    .filter(({ date }) => by === 'person' || date !== today)
    .map((day) => {
      const { date: _, messages: __, excerpt, ...span } = day
      const told = day === longest ? summary : ''
      return { ...span, summary: told || excerpt, by: told ? ('mind' as const) : ('excerpt' as const) }
    })
  for (let n = 0; n < days.length; n += mostAtOnce)
    await execute({ type: 'CloseDays', life, days: days.slice(n, n + mostAtOnce) })
  signal.throwIfAborted()
  const { reason } = await unlessAborted(verify(id), signal)
  if (reason !== null) throw new Refused({ code: 'sleep_failed' })
  if (await read(async ({ persona }) => persona.days.untold))
    await unlessAborted(deps.writeDiary(signal), signal)
  await tidyUp(deps)
}

/** What cannot be done of it now is done in the next night: the day is kept all the same. */
const tidyUp = async ({ id, log, tidy, signal }: DayDeps): Promise<void> => {
  try {
    await unlessAborted(tidy(signal), signal)
  } catch (err) {
    signal.throwIfAborted()
    log.warn({ id, err }, 'a journal could not be tidied up at night')
  }
}
