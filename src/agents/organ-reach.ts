/** How to reach an organ: its model, its API key and its name at the runtime. */
import { hash } from 'node:crypto'
import type { Organ, PersonaId, Slot } from '../../facts/fact-values.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { getWrapper } from '../../projections/view.ts'
import type { PersonaStore } from '../persona/persona-store.ts'

/** Returns an organ with its API key. Only the Mind gets a model name of its own at its runtime. */
export const reach = async (
  personas: PersonaStore,
  id: PersonaId,
  slot: Slot,
  { key, ...organ }: Organ,
): Promise<{ readonly ask: OrganAsk; readonly wrapper: string | null }> => ({
  ask: {
    ...organ,
    apiKey: key === null ? null : await personas.secret(id, key),
    cacheKey: hash('sha256', `daimon ${id}`).slice(0, 32),
  },
  wrapper: slot === 'thinking' ? getWrapper(id, organ) : null,
})
