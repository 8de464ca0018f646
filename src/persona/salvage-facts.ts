/**
 * A damaged persona brought back: what of its journal verifies, and who it was last known to be where it no
 * longer tells.
 */

import type { PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Draft, First, Head, Journal, Journals, Loss, Salvaged } from '../../journal/log/journal.ts'
import type { Self } from '../../projections/self.ts'
import type { Instant } from '../time/clock.ts'
import { fold } from './fold.ts'
import { Refused } from './refusals.ts'

interface Deps {
  readonly journals: Journals
  readonly now: () => Instant
  /** As the catalog last knew it. */
  readonly self: Self
  /** Known to be damaged; else all of it is verified first. */
  readonly damaged: boolean
}

/** `not_damaged` · Newer · Unavailable · Damaged where nothing is left. Nobody may have its journal open. */
export const salvage = async (id: PersonaId, { journals, now, self, damaged }: Deps): Promise<Salvaged> => {
  if (!damaged && (await isWhole(journals, id))) throw new Refused({ code: 'not_damaged' })
  const mend = async (journal: Journal, loss: Loss): Promise<Draft> => {
    const { persona, damage } = await fold(journal)
    if (damage) throw damage
    const [told, forked] = asItself(persona?.self, self, journal.head)
    const events: readonly PersonaEvent[] = [...forked, ...changes(told, self), { type: 'Salvaged', ...loss }]
    return { events, cause: { by: 'person' }, ...now() }
  }
  return journals.salvage(id, firstOf(self), mend)
}

const isWhole = async (journals: Journals, id: PersonaId): Promise<boolean> => {
  const journal = await journals.open(id, 'reader')
  try {
    return (await journal.verify()).intact
  } finally {
    await journal.close()
  }
}

const firstOf = ({ id, name, birthday, idleTimeout, recipient, created }: Self): First => ({
  event: { type: 'PersonaCreated', id, name, birthday, idleTimeout, recipient },
  at: created,
  offset: 0,
})

/** Where what told that it is another than its past began with was lost, that is told anew. */
const asItself = (
  told: Self | undefined,
  { id, name, recipient }: Self,
  { seq: at, hash }: Head,
): readonly [told: Self | undefined, forked: readonly PersonaEvent[]] => {
  if (!told || told.id === id || at === 0) return [told, []]
  const forked = { type: 'PersonaForked', id, from: told.id, at, hash, name, recipient } as const
  return [{ ...told, id, name, organs: {} }, [forked]]
}

/**
 * What was lost of who it is is known from the catalog: its name, its organs. Its keys would go with a fact
 * that nobody tells again.
 */
const changes = (told: Self | undefined, known: Self): readonly PersonaEvent[] => {
  const slots = Object.keys({ ...told?.organs, ...known.organs }) as Slot[]
  return [
    ...(told?.name === known.name ? [] : [{ type: 'Renamed', name: known.name } as const]),
    ...(told?.idleTimeout === known.idleTimeout
      ? []
      : [{ type: 'IdleTimeoutSet', seconds: known.idleTimeout } as const]),
    ...slots.flatMap((slot): readonly PersonaEvent[] => {
      const [was, is] = [told?.organs[slot], known.organs[slot]]
      if (JSON.stringify(was) === JSON.stringify(is)) return []
      return [is ? { type: 'OrganReplaced', slot, organ: is } : { type: 'OrganRemoved', slot }]
    }),
  ]
}
