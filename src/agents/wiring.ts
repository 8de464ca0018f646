/** What an agent is given of its persona's: its organs at their models, its files, what its days may cost. */
import type { Organ, PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { Histories } from '../../packages/history-import/histories.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Models, OrganAsk } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import type { Persona } from '../../projections/persona.ts'
import { wrapperOf } from '../../projections/view.ts'
import type { Diaries } from '../diary/diaries.ts'
import { createOrgans, type Organs } from '../mind/organ-calls.ts'
import type { Files } from '../mind/prompt/heard-files.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { Personas, Reading, Vitals } from '../persona/persona-store.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Search, SearchOfOne } from '../search/search.ts'
import { keepRecipe } from './recording.ts'
import { mayWorkInBackground, overCeiling } from './spending-limit.ts'

export interface Wiring {
  /**
   * Its organs as it is configured then; the signal cuts whatever they are asked. `unkept`: no word of it
   * goes to the disk.
   */
  readonly organs: (persona: Persona, signal: AbortSignal, words?: 'unkept') => Organs
  /** The tools of its servers as they are now. Never rejects. */
  readonly outside: (persona: Persona) => Promise<readonly Tool[]>
  readonly files: Files
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly search: SearchOfOne
  readonly vitals: () => Promise<Vitals>
  /** Seals it as it is now, for its recovery phrase. */
  readonly writeDiary: (signal: AbortSignal) => Promise<void>
  /**
   * Removes what its models were sent so long ago that it is kept no longer, and gives back the memory that
   * its journal holds of the day.
   */
  readonly tidy: (signal: AbortSignal) => Promise<void>
  /** Why it may not be asked any more today; null while it may. */
  readonly ceiling: (reading: Reading) => Promise<string | null>
  /** Whether it may be asked what nobody waits for. */
  readonly spare: (reading: Reading) => Promise<boolean>
}

/** One life of a persona, as each part of its agent is handed it. */
export interface AgentLife extends Wiring {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  /** Refused `life_over` once the next one has begun. */
  readonly execute: (command: Command) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** From 0 to 1. */
  readonly random: () => number
  /** A short id no other thing of its own has. */
  readonly newId: () => string
}

export interface WiringDeps {
  readonly personas: Personas
  readonly models: Models
  readonly prices: Pick<Prices, 'of'>
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly histories: Pick<Histories, 'open'>
  readonly search: Pick<Search, 'rank'>
  readonly outside: (persona: Persona) => Promise<readonly Tool[]>
  readonly diaries: Pick<Diaries, 'write'>
  readonly clock: Clock
  readonly random: () => number
  /** Tokens it may use on a day; null: as many as it likes. */
  readonly dailyTokens: number | null
  /** Days for which it is kept what they were sent; 0: none after a night. */
  readonly keepCallsDays: number
}

/** Milliseconds. */
const aDay = 24 * 3_600_000

export const wire = (id: PersonaId, deps: WiringDeps): Wiring => {
  const { personas, documents, search, clock, dailyTokens, keepCallsDays } = deps
  return {
    organs: ({ self }, signal, words) =>
      createOrgans({
        ...deps,
        organs: self.organs,
        signal,
        reach: (slot, organ) => reach(personas, id, slot, organ),
        keepRecipe: async (parts, sent) =>
          words === 'unkept' ? null : keepRecipe(parts, sent, (bytes) => personas.keepPart(id, bytes)),
      }),
    outside: deps.outside,
    files: filesIn(personas, id),
    documents,
    search: (reading, question) => search.rank(id, reading, question),
    vitals: () => personas.vitals(id),
    writeDiary: (signal) => deps.diaries.write(id, signal),
    tidy: async (signal) => {
      const before = keepCallsDays === 0 ? Number.POSITIVE_INFINITY : clock.now() - keepCallsDays * aDay
      await personas.pruneCalls(id, before, signal)
      await personas.flush(id)
    },
    ceiling: ({ journal }) =>
      overCeiling({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
    spare: ({ journal }) =>
      mayWorkInBackground({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
  }
}

/** The files of a persona. */
export const filesIn = (
  personas: Pick<Personas, 'mediaPath' | 'isSound' | 'keepMedia' | 'dropMedia'>,
  id: PersonaId,
): Files => ({
  // A name may have come with a diary that anybody wrote: it leads nowhere else.
  path: (filename) => personas.mediaPath(id, filename),
  isSound: (media) => personas.isSound(id, media),
  keep: (bytes, extension) => personas.keepMedia(id, { bytes }, extension),
  drop: (filename) => personas.dropMedia(id, filename),
})

/** An organ as its models take it. Only the Mind is registered at its runtime under a name of its own. */
export const reach = async (
  personas: Personas,
  id: PersonaId,
  slot: Slot,
  { key, ...organ }: Organ,
): Promise<{ readonly ask: OrganAsk; readonly wrapper: string | null }> => ({
  ask: { ...organ, apiKey: key === null ? null : await personas.secret(id, key) },
  wrapper: slot === 'thinking' ? wrapperOf(id, organ) : null,
})
