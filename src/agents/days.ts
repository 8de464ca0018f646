/** The work of her rest: what was said gone over span by span, and a day closed. Each step is on disk before the next. */
import type { PersonaId, Seq } from '../../journal/events.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { askOver, type Learned, readOver, type Span } from '../mind/consolidate.ts'
import type { Organs } from '../mind/organs.ts'
import { readDays, readSpan } from '../mind/spans.ts'
import { Unanswered } from '../mind/think.ts'
import { unlessCut } from '../mind/tools/run.ts'
import type { Command, OrganCall } from '../persona/commands.ts'
import type { Personas, Reading } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Equipment } from './equip.ts'

export interface DayDeps extends Pick<Equipment, 'organs' | 'spare'> {
  readonly id: PersonaId
  readonly life: number
  readonly clock: Clock
  readonly log: Log
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  readonly execute: (command: Command) => Promise<unknown>
  readonly verify: Personas['verify']
  readonly newId: () => string
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}

/** `left`: her Mind gave no answer that could be used, or may not be asked any more today; `more`: there is more than was to be gone over at once. */
export type Over = 'all' | 'left' | 'more'

/** Goes over the talk up to a position. Throws `Unanswered` where her Mind cannot be reached, and the signal's reason. */
export const goOver = async (upTo: Seq | 0, most: number, deps: DayDeps): Promise<Over> => {
  for (let spans = 0; spans < most; spans++) {
    deps.signal.throwIfAborted()
    const found = await deps.read(async (reading) => {
      const organs = deps.organs(reading.persona, deps.signal)
      const room = await organs.room()
      const span = await readSpan(reading.journal, reading.persona, upTo, room)
      return span && { organs, span: { ...span, room, persona: reading.persona, zone: deps.clock.zone }, spare: await deps.spare(reading) }
    })
    if (!found) return 'all'
    if (!found.spare || !(await overSpan(found.span, found.organs, deps))) return 'left'
  }
  return 'more'
}

/** Whether it was gone over. An answer in another form is asked for once more, then left for the next time. */
const overSpan = async (span: Span, organs: Organs, deps: DayDeps): Promise<boolean> => {
  const { life, execute } = deps
  const calls: OrganCall[] = []
  try {
    const learned = await learn(span, organs, deps, calls)
    if (learned) {
      const upTo = span.entries.at(-1)?.seq ?? 0
      await execute({ type: 'Consolidate', life, after: span.persona.days.consolidated, upTo, ...learned, calls })
      return true
    }
    await execute({ type: 'RecordCalls', life, calls })
    return false
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    await execute({ type: 'RecordCalls', life, calls: [...calls, { failed: error.failed }] })
    // It does not want these words: another day it may.
    if (error.failed.kind === 'refused') return false
    throw error
  }
}

const learn = async (span: Span, organs: Organs, deps: DayDeps, calls: OrganCall[]): Promise<Learned | null> => {
  let again: string | null = null
  for (const _ of ['asked', 'asked again']) {
    const { question, pieces } = askOver(span, again)
    const { value, used } = await unlessCut(organs.ask('thinking', question, pieces), deps.signal)
    calls.push({ used })
    const learned = readOver(value, span, deps.newId)
    if (learned) return learned
    again = value
  }
  return null
}

/** Closes every day on which something was said, and looks whether her whole journal is what was written. Throws `Refused` sleep_failed where it is not. */
export const endDay = async (over: Over, deps: DayDeps): Promise<void> => {
  const { id, life, clock, read, execute, verify, signal } = deps
  const { found, summary } = await read(async ({ persona, journal }) => ({
    found: await readDays(journal, persona, persona.days.sleeping ?? journal.head.seq, clock.zone),
    summary: over === 'all' ? persona.days.summary : '',
  }))
  const days = found.map(({ excerpt, ...day }, n) => {
    // What she has in mind of it is of the last one.
    const told = n === found.length - 1 ? summary : ''
    return { ...day, summary: told || excerpt, by: told ? ('mind' as const) : ('excerpt' as const) }
  })
  if (days.length > 0) await execute({ type: 'CloseDays', life, days })
  signal.throwIfAborted()
  const { reason } = await unlessCut(verify(id), signal)
  if (reason !== null) throw new Refused({ code: 'sleep_failed' })
}
