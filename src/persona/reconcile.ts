/**
 * What a start does with the journals it finds: the list is what the catalog knows, and whatever that may be
 * wrong about is looked at.
 */
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import type { Journals } from '../../journal/log/journal.ts'
import type { Self } from '../../projections/self.ts'
import type { JournalPool } from './journal-pool.ts'
import type { Keyring } from './keyring.ts'
import type { Listed } from './personas.ts'
import type { Roster } from './roster.ts'

interface Deps {
  readonly journals: Pick<Journals, 'ids' | 'denied' | 'endsAt'>
  readonly catalog: Catalog
  readonly roster: Roster
  readonly keyring: Keyring
  readonly pool: JournalPool
}

/** Journals that are looked at together after a crash. */
const atOnce = 16

/**
 * After a crash the catalog may be behind: then every journal is looked at that does not end where it says.
 * One in trouble may be well again. An error of the disk that passes must not hide all personas until the
 * next start.
 */
export const reconcileHome = async (deps: Deps, attempts = 3): Promise<void> => {
  try {
    await reconcile(deps)
  } catch (error) {
    if (attempts === 1) throw error
    await reconcileHome(deps, attempts - 1)
  }
}

const reconcile = async ({ journals, catalog, roster, keyring, pool }: Deps): Promise<void> => {
  const ids = new Set(await journals.ids())
  const missing = adopt(catalog, ids, roster)
  const denied = new Set(await journals.denied())
  // ⏱ 1000 of them, opened only for that, kept the list waiting for 15.3 s, where it now comes after 2.6 on
  // the same busy machine.
  const isBehind = async (id: PersonaId) => {
    const head = catalog.get(id)?.head
    return !catalog.complete && !(head && (await journals.endsAt(id, head)))
  }
  await pLimit(atOnce).map(latestFirst(ids, roster), async (id) => {
    if (denied.has(id) || isUnsure(roster.get(id)) || (await isBehind(id))) await pool.lookAt(id)
  })
  await keyring.sweepOrphans(new Set([...ids, ...missing]))
  // It is known who they are, and why they cannot be opened is told.
  for (const id of missing) await pool.lookAt(id)
}

/** Returns those that are known and whose journals are not there. */
const adopt = (catalog: Catalog, ids: ReadonlySet<PersonaId>, roster: Roster): readonly PersonaId[] => {
  const missing: PersonaId[] = []
  for (const [id, entry] of catalog.all()) {
    // A catalog of before knew of no channels, of no servers, of no hosts, or of no confirmed phrase.
    const kept = entry.self as Omit<Self, keyof typeof unknownBefore> & Partial<Self>
    const isWhole = Object.keys(unknownBefore).every((name) => name in kept)
    const self: Self = isWhole ? (kept as Self) : { ...unknownBefore, ...kept }
    if (!ids.has(id) && self.deleted) {
      catalog.remove(id)
      continue
    }
    roster.adopt(id, { self, trouble: entry.trouble ?? null })
    if (!ids.has(id)) missing.push(id)
  }
  return missing
}

const unknownBefore = { channels: [], servers: {}, hosts: {}, phraseConfirmed: false } as const

/**
 * Whoever is woken first is looked at last, and is open still: ⏱ of 1000 journals 512 are opened once instead
 * of twice.
 */
const latestFirst = (ids: ReadonlySet<PersonaId>, roster: Roster): PersonaId[] => {
  const place = new Map(roster.all().map(({ self }, n) => [self.id, n]))
  const placeOf = (id: PersonaId) => place.get(id) ?? place.size
  return [...ids].sort((one, other) => placeOf(other) - placeOf(one))
}

const isUnsure = (listed: Listed | undefined): boolean =>
  !listed || listed.self.deleted || listed.trouble !== null
