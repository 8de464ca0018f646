/** Creates, opens, repairs and replaces journals in any kind of store. */

import { createRandomPool, encodeBatch } from './batch-encoder.ts'
import { type Found, inspect, mustBe } from './chain.ts'
import { noTally, noteDedupeKey, type Tally, toTallyOp } from './dedupe.ts'
import { Damaged, Held, Newer } from './errors.ts'
import { createMarks } from './fact-index.ts'
import { emptyHead, type Head, type JournalId, type Seq } from './head.ts'
import type { Draft, Journal, Journals, Witness } from './journal.ts'
import { isJournalId, mustBeJournalId } from './journal-id.ts'
import { createJournalWriter } from './journal-writer.ts'
import { seqInKey } from './keys.ts'
import { journalOn } from './opened-journal.ts'
import { decodeRecord } from './record.ts'
import { mendChain } from './salvage.ts'
import { lastChecked } from './snapshots.ts'
import type { Op, Store, Stores } from './store.ts'
import type { Erased, ErasedFact, JournalTypes, Vocabulary } from './vocabulary.ts'
import { type Wiped, wipeWords } from './wiping.ts'

interface Deps<T extends JournalTypes> {
  readonly vocabulary: Vocabulary<T>
  readonly stores: Stores
  /** Called whenever a journal is opened or verified. Default: no head is known. */
  readonly witness?: Witness
  readonly random?: (bytes: number) => Buffer
}

/** Opens the journals of a program that has this vocabulary. */
export const openJournals = <T extends JournalTypes>({ vocabulary, ...deps }: Deps<T>): Journals<T> =>
  // The journal only passes facts and causes on, which the vocabulary has checked.
  openAnyJournals({ ...deps, vocabulary }) as Journals<T>

const openAnyJournals = ({
  vocabulary,
  stores,
  witness = async () => undefined,
  random = createRandomPool(),
}: Deps<JournalTypes>): Journals => {
  const openIds = new Set<JournalId>()

  const open = async (
    id: JournalId,
    store: Store,
    { head, damage, records }: Found,
    role: 'reader' | 'writer',
  ): Promise<Journal> => {
    // Nothing is repaired or added in a damaged journal.
    const rights = damage ? 'look' : role === 'writer' ? 'append' : 'derive'
    const tail = await createJournalWriter({ vocabulary, id, stores, store, head, rights, random })
    openIds.add(id)
    return journalOn({
      id,
      tail,
      witness,
      damage,
      inspectedRecords: records,
      onRelease: () => openIds.delete(id),
    })
  }

  /** Opens a journal that is not at its final path. */
  const openStaged = async (id: JournalId, store: Store, head: Head): Promise<Journal> => {
    const tail = await createJournalWriter({ vocabulary, id, stores, store, head, rights: 'append', random })
    const unseenState = { witness: async () => undefined, damage: undefined, inspectedRecords: undefined }
    return journalOn({ id, tail, ...unseenState, onRelease: () => {} })
  }

  return {
    create: async (id, first) => {
      const { ops, head } = beginning(vocabulary, first, random)
      return open(id, await stores.create(mustBeJournalId(id), ops), { head }, 'writer')
    },
    open: async (id, role) => {
      const { store, damage } = await reach(stores, mustBeJournalId(id))
      try {
        const inspection = await examine(vocabulary, store, await witness(id), damage)
        if (inspection.damage && role === 'writer') throw inspection.damage
        if (inspection.newer)
          throw new Newer(
            `record ${inspection.newer.seq} is a ${inspection.newer.type} of version ${inspection.newer.version}`,
          )
        const journal = await open(id, store, inspection, role)
        if (role === 'writer' && inspection.head.seq - inspection.from > longTail) await noteChecked(journal)
        return journal
      } catch (error) {
        await store.close()
        throw error
      }
    },
    salvage: async (id, first, mend) => {
      if (openIds.has(mustBeJournalId(id))) throw new Held('the journal is open')
      const salvage = await stores.salvage(id)
      try {
        const { head, loss, unnamed } = await mendChain({
          vocabulary,
          store: salvage.store,
          witness: await witness(id),
          first,
          random,
        })
        const journal = await open(id, salvage.store, { head }, 'writer')
        openIds.delete(id)
        const erasedFact = vocabulary.erasedFact([...unnamed])
        const draft = await mend(journal, loss)
        const events = unnamed.length > 0 ? [erasedFact, ...draft.events] : draft.events
        await journal.append([{ ...draft, events }], head)
        await salvage.replace()
        return { loss, head: journal.head, copy: salvage.copy }
      } catch (error) {
        openIds.delete(id)
        await salvage.discard()
        throw error
      }
    },
    erase: async (id, erasure, mend, replacement) => {
      if (openIds.has(mustBeJournalId(id))) throw new Held('the journal is open')
      let wipe: Wiped = { head: emptyHead, erased: [] }
      const { store, replace, discard } = await stores.rewrite(id, async (draft) => {
        wipe = await wipeWords(vocabulary, draft, erasure)
      })
      try {
        const journal = await openStaged(id, store, wipe.head)
        const drafts = await mend(journal, wipe.erased)
        mustNameErased(drafts, wipe.erased)
        await journal.append(drafts, journal.head)
        await replace(replacement)
        return journal.head
      } catch (error) {
        await discard()
        throw error
      }
    },
    stage: async (id, folder, head) => {
      const { store, place, placeFiles } = await stores.stage(mustBeJournalId(id), folder)
      try {
        await mustBe(store, head)
        const journal = await openStaged(id, store, head)
        await noteChecked(journal)
        return {
          journal,
          place: async (old) => {
            if (openIds.has(id)) throw new Held('the journal is open')
            await place(old)
          },
          placeFiles,
          close: journal.close,
        }
      } catch (error) {
        await store.close()
        throw error
      }
    },
    reserve: (id, role) => stores.reserve(mustBeJournalId(id), role === 'writer' ? 'open' : 'rescue'),
    take: (id, folder) => stores.take(mustBeJournalId(id), folder),
    ids: async () => (await stores.ids()).filter(isJournalId),
    endsAt: (id, head) => endsAt(stores, id, head).catch(() => false),
    denied: async () => (await stores.denied()).filter(isJournalId),
    remove: async (id) => {
      if (openIds.has(mustBeJournalId(id))) throw new Held('the journal is open')
      await stores.remove(id)
    },
  }
}

/**
 * A tail this long is worth a snapshot after the check. After an upgrade the tail is the whole journal,
 * because this build has no snapshot yet.
 */
const longTail = 1024

const noteChecked = (journal: Journal): Promise<void> =>
  journal
    .keepSnapshot({ projector: 'checked', version: 1, head: journal.head, state: null })
    // Only an optimization. The next append reports a failing store.
    .catch(() => undefined)

const beginning = (
  vocabulary: Vocabulary,
  first: Draft,
  random: (bytes: number) => Buffer,
): { ops: readonly Op[]; head: Head } => {
  const { ops, head, keys } = encodeBatch(vocabulary, [first], emptyHead, createMarks(vocabulary), random)
  if (head.seq === 0) throw new TypeError('a journal must start with a fact')
  let tally: Tally = noTally
  const dedupeOps: Op[] = []
  for (const [key, seq] of new Map([...keys].reverse())) {
    const next = noteDedupeKey(tally, key, seq)
    dedupeOps.push(next.op)
    tally = next.tally
  }
  return { ops: [...ops, ...dedupeOps, toTallyOp(tally)], head }
}

/** An erased record that no fact names is damage, so the journal could not be opened again. */
const mustNameErased = (drafts: readonly Draft[], erasedFacts: readonly Erased[]): void => {
  const names = new Set<string>()
  for (const { events } of drafts)
    for (const event of events)
      if (event.type === 'FactsErased')
        for (const { seq, left } of (event as ErasedFact).facts) names.add(`${seq} ${left}`)
  if (!erasedFacts.every(({ seq, left }) => names.has(`${seq} ${left}`)))
    throw new TypeError('a fact FactsErased must name each erased fact')
}

/** Opens the readable part of a journal if the engine cannot open it. */
const reach = async (
  stores: Stores,
  id: JournalId,
): Promise<{ readonly store: Store; readonly damage?: Damaged }> => {
  try {
    return { store: await stores.open(id) }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { store: await stores.rescue(id), damage: error }
  }
}

/**
 * Checks the tail after the last full check. If something is damaged, checks everything to find the first bad
 * record.
 */
const examine = async (
  vocabulary: Vocabulary,
  store: Store,
  witness: Head | undefined,
  damage?: Damaged,
): Promise<Found & { readonly from: Seq | 0 }> => {
  const base = damage ? emptyHead : await lastChecked(vocabulary, store)
  const inspection = { ...(await inspect(vocabulary, store, base, witness)), from: base.seq }
  if (inspection.damage && base.seq > 0)
    return { ...(await inspect(vocabulary, store, emptyHead, witness)), from: 0 }
  if (inspection.damage || (inspection.head.seq > 0 && !damage)) return inspection
  return {
    ...inspection,
    damage: new Damaged(
      inspection.head.seq + 1,
      damage ? 'or something else in its files is damaged' : 'is missing',
      { cause: damage },
    ),
  }
}

const endsAt = async (stores: Stores, id: JournalId, { seq, hash }: Head): Promise<boolean> => {
  const [key, value] = (await stores.newestRecord(mustBeJournalId(id))) ?? []
  return (
    key !== undefined &&
    value !== undefined &&
    seqInKey(key) === seq &&
    decodeRecord(seq, value).hash === hash
  )
}
