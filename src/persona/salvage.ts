/** Salvages a damaged persona: the valid records of its journal, and the self that the catalog last knew. */

import type { PersonaId, Slot } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Draft, First, Journal, Journals } from '../../facts/persona-journal.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Loss, Salvaged } from '../../journal/log/journal.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import type { Self } from '../../projections/self.ts'
import { fold } from './fold.ts'
import { Refused } from './refusals.ts'

interface Deps {
  readonly journals: Journals
  readonly now: () => Instant
  /** From the catalog. */
  readonly self: Self
  /** If false, verifies the journal first. */
  readonly damaged: boolean
}

/** The journal must be closed. Throws not_damaged, Newer, Unavailable, or Damaged if nothing is left. */
export const salvage = async (id: PersonaId, { journals, now, self, damaged }: Deps): Promise<Salvaged> => {
  if (!damaged && (await isIntact(journals, id))) throw new Refused({ code: 'not_damaged' })
  const mend = async (journal: Journal, loss: Loss): Promise<Draft> => {
    const { persona, damage } = await fold(journal)
    if (damage) throw damage
    const [salvagedSelf, forkedEvent] = restoreIdentity(persona?.self, self, journal.head)
    const events: readonly PersonaEvent[] = [
      ...forkedEvent,
      ...changes(salvagedSelf, self),
      { type: 'Salvaged', ...loss },
    ]
    return { events, cause: { by: 'person' }, ...now() }
  }
  return journals.salvage(id, toFirstFact(self), mend)
}

const isIntact = async (journals: Journals, id: PersonaId): Promise<boolean> => {
  const journal = await journals.open(id, 'reader')
  try {
    return (await journal.verify()).intact
  } finally {
    await journal.close()
  }
}

const toFirstFact = ({ id, name, birthday, idleTimeout, recipient, created }: Self): First => ({
  event: { type: 'PersonaCreated', id, name, birthday, idleTimeout, recipient },
  cause: { by: 'host' },
  at: created,
  offset: 0,
})

/** Declares the fork again if the fact was lost. */
const restoreIdentity = (
  salvagedSelf: Self | undefined,
  { id, name, recipient }: Self,
  { seq, hash }: Head,
): readonly [salvaged: Self | undefined, forked: readonly PersonaEvent[]] => {
  if (!salvagedSelf || salvagedSelf.id === id || seq === 0) return [salvagedSelf, []]
  const forkedEvent = {
    type: 'PersonaForked',
    id,
    from: salvagedSelf.id,
    at: seq,
    hash,
    name,
    recipient,
  } as const
  return [{ ...salvagedSelf, id, name, organs: {} }, [forkedEvent]]
}

/** The catalog does not contain the lorebook. */
const toCharacterSet = (character: Self['character']): PersonaEvent => ({
  type: 'CharacterSet',
  text: character?.text ?? '',
  lore: [],
  card: character?.card ?? null,
})

const toPortraitFact = (portrait: Self['portrait']): PersonaEvent =>
  portrait ? { type: 'PortraitChosen', media: portrait, source: 'file' } : { type: 'PortraitRemoved' }

/** Returns the facts that restore the self from the catalog. A lost organ would lose its key, too. */
const changes = (salvagedSelf: Self | undefined, knownSelf: Self): readonly PersonaEvent[] => {
  const slots = Object.keys({ ...salvagedSelf?.organs, ...knownSelf.organs }) as Slot[]
  return [
    ...(salvagedSelf?.name === knownSelf.name ? [] : [{ type: 'Renamed', name: knownSelf.name } as const]),
    ...(salvagedSelf?.character?.text === knownSelf.character?.text
      ? []
      : [toCharacterSet(knownSelf.character)]),
    ...(salvagedSelf?.portrait?.sha256 === knownSelf.portrait?.sha256
      ? []
      : [toPortraitFact(knownSelf.portrait)]),
    ...(salvagedSelf?.idleTimeout === knownSelf.idleTimeout
      ? []
      : [{ type: 'IdleTimeoutSet', seconds: knownSelf.idleTimeout } as const]),
    ...slots.flatMap((slot): readonly PersonaEvent[] => {
      const previousOrgan = salvagedSelf?.organs[slot]
      const currentOrgan = knownSelf.organs[slot]
      if (JSON.stringify(previousOrgan) === JSON.stringify(currentOrgan)) return []
      return [
        currentOrgan ? { type: 'OrganReplaced', slot, organ: currentOrgan } : { type: 'OrganRemoved', slot },
      ]
    }),
  ]
}
