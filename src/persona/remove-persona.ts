/** Removes all files of a deleted persona. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { KeptDiaries } from '../../journal/files/kept-diaries.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import type { Journals } from '../../journal/log/journal.ts'
import type { Keyring } from './keyring.ts'
import type { Published } from './opened.ts'
import type { Roster } from './roster.ts'
import type { SoundMedia } from './sound-media.ts'

interface Deps {
  readonly journals: Journals
  readonly catalog: Catalog
  readonly roster: Roster
  readonly keyring: Keyring
  readonly published: Published
  readonly sound: SoundMedia
  readonly diaries: KeptDiaries
}

/**
 * `at`: epoch milliseconds, when the retention of the last diary begins unless `purge` is set. The journal
 * must be closed. Resumable.
 */
export const removePersona = async (
  id: PersonaId,
  { at, purge }: { readonly at: number; readonly purge: boolean },
  deps: Deps,
): Promise<void> => {
  const { journals, catalog, roster, keyring, published, sound, diaries } = deps
  roster.remove(id)
  keyring.forget(id)
  published.delete(id)
  sound.forget(id)
  // First, while the journal still says that it is deleted: the next start resumes from here.
  await (purge ? diaries.removeAll(id) : diaries.retire(id, at))
  // Durably: a listed persona without a journal would be marked as sick.
  await catalog.forget(id)
  if (purge) await catalog.renew()
  await journals.remove(id)
}
