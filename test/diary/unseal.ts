/** Diaries without their bytes: only the facts are recorded. */
import type { Diaries } from '../../src/diary/diaries.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'

export const unsealed = (personas: PersonaStore): Pick<Diaries, 'write'> => ({
  write: async (id) => {
    const { seq } = (await personas.vitals(id)).head
    await personas.execute(id, { type: 'RecordDiary', upTo: Math.max(1, seq), bytes: 1 }, 'host')
  },
})
