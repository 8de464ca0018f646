/**
 * The dependencies that an agent gets for its persona: organs with their models, files, search, spending
 * limits.
 */

import type { PersonaId, PromptProfile } from '../../facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { Histories } from '../../packages/history-import/histories.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Models } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import type { ProfileSetting } from '../../packages/models/prompt-profile.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Diaries } from '../diary/diaries.ts'
import { createOrgans } from '../mind/organ-calls.ts'
import type { Files } from '../mind/prompt/heard-files.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import type { SignedHeads } from '../persona/signed-heads.ts'
import type { Search } from '../search/search.ts'
import type { Wiring } from './agent-deps.ts'
import { reach } from './organ-reach.ts'
import { keepRecipe } from './recording.ts'
import { mayWorkInBackground, overCeiling } from './spending-limit.ts'

export interface WiringDeps {
  readonly personas: PersonaStore
  readonly models: Models
  readonly prices: Pick<Prices, 'getPrice'>
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly histories: Pick<Histories, 'open'>
  readonly search: Pick<Search, 'rank'>
  readonly getOutsideTools: (persona: Persona) => Promise<readonly Tool[]>
  readonly diaries: Pick<Diaries, 'write'>
  /** Null if heads are not signed at night. */
  readonly signedHeads: Pick<SignedHeads, 'sign'> | null
  readonly clock: Clock
  readonly random: () => number
  /** Tokens per day and persona. Null means no limit. */
  readonly dailyTokens: number | null
  /** Days for which sent prompts are stored. 0 deletes them after each night. */
  readonly keepCallsDays: number
  /** Default: auto. */
  readonly profile?: ProfileSetting
}

/** In ms. */
const dayMs = 24 * 3_600_000

export const wire = (id: PersonaId, deps: WiringDeps): Wiring => {
  const { personas, documents, search, clock, dailyTokens, keepCallsDays } = deps
  const profiles = new Map<string, PromptProfile>()
  return {
    organs: ({ self }, signal, words, otherMind) =>
      createOrgans({
        ...deps,
        profileSetting: deps.profile ?? 'auto',
        profiles,
        organs: otherMind ? { ...self.organs, thinking: otherMind } : self.organs,
        signal,
        reach: async (slot, organ) => {
          const target = await reach(personas, id, slot, organ)
          // Only the Mind has a model name of its own at its runtime.
          return organ === otherMind ? { ...target, wrapper: null } : target
        },
        keepRecipe: async (parts, prompt) =>
          words === 'unkept' ? null : keepRecipe(parts, prompt, (bytes) => personas.keepPart(id, bytes)),
      }),
    getOutsideTools: deps.getOutsideTools,
    files: filesIn(personas, id),
    documents,
    search: (reading, question) => search.rank(id, reading, question),
    vitals: () => personas.vitals(id),
    writeDiary: (signal) => deps.diaries.write(id, signal),
    signHead: async () => {
      await deps.signedHeads?.sign(id)
    },
    tidy: async (signal) => {
      const pruneBefore = keepCallsDays === 0 ? Number.POSITIVE_INFINITY : clock.now() - keepCallsDays * dayMs
      await personas.pruneCalls(id, pruneBefore, signal)
      await personas.flush(id)
    },
    getTokenLimit: ({ journal }) =>
      overCeiling({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
    spare: ({ journal }) =>
      mayWorkInBackground({ journal, zone: clock.zone, now: clock.now(), ceiling: dailyTokens }),
  }
}

export const filesIn = (
  personas: Pick<PersonaStore, 'mediaPath' | 'isSound' | 'keepMedia' | 'dropMedia'>,
  id: PersonaId,
): Files => ({
  // The file name may come from an untrusted diary. `mediaPath` keeps it inside the persona's directory.
  path: (filename) => personas.mediaPath(id, filename),
  isSound: (media) => personas.isSound(id, media),
  storeFile: (bytes, extension) => personas.keepMedia(id, { bytes }, extension),
  drop: (filename) => personas.dropMedia(id, filename),
})
