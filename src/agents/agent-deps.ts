/**
 * The dependencies that an agent gets for its persona: organs with their models, files, search, spending
 * limits.
 */
import type { Organ, PersonaId, Sha256, Slot } from '../../journal/facts/fact-values.ts'
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
import type { Saying } from '../persona/rules/turn.ts'
import type { Search, SearchOfOne } from '../search/search.ts'
import { keepRecipe } from './recording.ts'
import type { SilenceWatch } from './silence-watch.ts'
import { mayWorkInBackground, overCeiling } from './spending-limit.ts'

export interface Wiring {
  /**
   * Returns the organs with the settings of `persona`. The signal aborts their calls. `unkept`: the sent
   * prompts are not stored.
   */
  readonly organs: (persona: Persona, signal: AbortSignal, words?: 'unkept') => Organs
  /** Returns the current tools of the persona's tool servers. Never rejects. */
  readonly outside: (persona: Persona) => Promise<readonly Tool[]>
  readonly files: Files
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly search: SearchOfOne
  readonly vitals: () => Promise<Vitals>
  /** Writes a diary of the current state, encrypted with the recovery phrase. */
  readonly writeDiary: (signal: AbortSignal) => Promise<void>
  /**
   * Deletes stored prompts that are older than `keepCallsDays`. Flushes the journal to release the memory
   * that it used during the day.
   */
  readonly tidy: (signal: AbortSignal) => Promise<void>
  /** Returns a message if the daily token limit is reached, or else null. */
  readonly ceiling: (reading: Reading) => Promise<string | null>
  /** Returns true if enough tokens are left for background work. */
  readonly spare: (reading: Reading) => Promise<boolean>
}

/** The dependencies of an agent during one life of its persona: from a start to the next stop. */
export interface AgentLife extends Wiring {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  /** Rejects with `life_over` after the next life has begun. */
  readonly execute: (command: Command) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** Between 0 and 1. */
  readonly random: () => number
  /** Returns a short id, unique within the persona. */
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
  /** Tokens per day and persona. Null means no limit. */
  readonly dailyTokens: number | null
  /** Days for which sent prompts are stored. 0 deletes them after each night. */
  readonly keepCallsDays: number
}

/** In ms. */
const dayMs = 24 * 3_600_000

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
      const before = keepCallsDays === 0 ? Number.POSITIVE_INFINITY : clock.now() - keepCallsDays * dayMs
      await personas.pruneCalls(id, before, signal)
      await personas.flush(id)
    },
    ceiling: ({ journal }) =>
      overCeiling({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
    spare: ({ journal }) =>
      mayWorkInBackground({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
  }
}

export const filesIn = (
  personas: Pick<Personas, 'mediaPath' | 'isSound' | 'keepMedia' | 'dropMedia'>,
  id: PersonaId,
): Files => ({
  // The file name may come from an untrusted diary. `mediaPath` keeps it inside the persona's directory.
  path: (filename) => personas.mediaPath(id, filename),
  isSound: (media) => personas.isSound(id, media),
  keep: (bytes, extension) => personas.keepMedia(id, { bytes }, extension),
  drop: (filename) => personas.dropMedia(id, filename),
})

/** Returns an organ with its API key. Only the Mind gets a model name of its own at its runtime. */
export const reach = async (
  personas: Personas,
  id: PersonaId,
  slot: Slot,
  { key, ...organ }: Organ,
): Promise<{ readonly ask: OrganAsk; readonly wrapper: string | null }> => ({
  ask: { ...organ, apiKey: key === null ? null : await personas.secret(id, key) },
  wrapper: slot === 'thinking' ? wrapperOf(id, organ) : null,
})

// Dependencies of a channel turn.

export interface TurnDeps extends AgentLife {
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  readonly tools: readonly Tool[]
  /** Detects that the model produces no output. */
  readonly silence: SilenceWatch
  /** Called when the model has produced no output for `seconds`. Must not throw. */
  readonly onSilent: (seconds: number) => void
  /** Returns true if the model answers everything except this turn. */
  readonly isHopeless: () => boolean
  /** Returns true if the user was already notified that the model is unreachable. */
  readonly isTold: () => boolean
  /** Receives the text of the step as it grows, and null when the step ends. */
  readonly saying: (saying: Saying | null, delta: string) => void
  /** Aborts the turn. */
  readonly signal: AbortSignal
}
