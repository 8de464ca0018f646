/**
 * Appends to an open journal, one change at a time. After an unconfirmed write it refuses changes until
 * `settle`.
 */

import pLimit from 'p-limit'
import { encodeBatch } from './batch-encoder.ts'
import { inspect } from './chain.ts'
import { addDedupeKeys, type Keys, readTally, rebuildDedupe, type Tally, toTallyOp } from './dedupe.ts'
import { Conflict, Damaged, InDoubt, Unavailable } from './errors.ts'
import { type Marks, readMarks, rebuildIndex } from './fact-index.ts'
import type { Head, JournalId } from './head.ts'
import type { Commit, Draft } from './journal.ts'
import { type Op, type Store, type Stores, Unreadable } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface JournalWriter {
  readonly vocabulary: Vocabulary
  readonly store: Store
  readonly head: Head
  /** Undefined only if the journal is read-only and its index is invalid. */
  readonly marks: Marks | undefined
  append(drafts: readonly Draft[], expectedHead: Head): Promise<readonly Commit[]>
  settle(): Promise<Head>
  /** Writes derived data or parts. A failure stops appends as well, as it does in the engine. */
  write<T>(act: (store: Store) => Promise<T>): Promise<T>
  /** Rebuilds the index. Returns undefined if the journal cannot be written. */
  reindex(): Promise<Marks | undefined>
  /**
   * Returns undefined if the dedupe index is invalid. Rebuilds it if `rebuild` is set and the rights allow
   * it.
   */
  tally(rebuild?: boolean): Promise<Tally | undefined>
  close(): Promise<void>
}

export interface JournalWriterDeps {
  readonly vocabulary: Vocabulary
  readonly id: JournalId
  readonly stores: Stores
  readonly store: Store
  readonly head: Head
  /** `derive` may write only derived data (indexes, snapshots). `look` writes nothing. */
  readonly rights: 'append' | 'derive' | 'look'
  readonly random: (bytes: number) => Buffer
}

interface State {
  store: Store
  head: Head
  marks: Marks | undefined
  tally: Tally | undefined
  /** True after an unconfirmed write. `settle` resets it. */
  doubt: boolean
  closed: boolean
}

export const createJournalWriter = async ({
  store,
  head,
  ...deps
}: JournalWriterDeps): Promise<JournalWriter> => {
  const state: State = {
    store,
    head,
    marks: await readMarks(deps.vocabulary, store, head),
    tally: undefined,
    doubt: false,
    closed: false,
  }
  if (!state.marks) await reindex(state, deps)
  const limit = pLimit(1)
  return {
    vocabulary: deps.vocabulary,
    get store() {
      return state.store
    },
    get head() {
      return state.head
    },
    get marks() {
      return state.marks
    },
    append: (drafts, expectedHead) => limit(() => append(state, deps, drafts, expectedHead)),
    settle: () => limit(() => settleHead(state, deps)),
    write: (act) => write(state, deps, act),
    reindex: () => limit(() => reindex(state, deps)),
    tally: (rebuild) => limit(() => getTally(state, deps, rebuild)),
    close: async () => {
      state.closed = true
      await state.store.close()
    },
  }
}

type Deps = Omit<JournalWriterDeps, 'store' | 'head'>

const append = async (
  state: State,
  deps: Deps,
  drafts: readonly Draft[],
  expectedHead: Head,
): Promise<readonly Commit[]> => {
  const { head, marks } = state
  if (deps.rights !== 'append') throw new Unavailable('the journal is read-only')
  if (state.doubt || !marks) throw new Unavailable('the last write must be settled first')
  if (expectedHead.seq !== head.seq || expectedHead.hash !== head.hash) throw new Conflict(head)
  const batch = encodeBatch(deps.vocabulary, drafts, head, marks, deps.random)
  if (batch.ops.length === 0) return batch.commits
  await write(state, deps, async (store) => {
    const dedupeEntries =
      batch.keys.length > 0 ? await noting(store, batch.keys, await getTally(state, deps)) : undefined
    await store.batch([...batch.ops, ...(dedupeEntries?.ops ?? [])], { sync: true })
    state.tally = dedupeEntries?.tally ?? state.tally
  })
  state.head = batch.head
  state.marks = batch.marks
  return batch.commits
}

const settleHead = async (state: State, { vocabulary, id, stores, rights }: Deps): Promise<Head> => {
  if (state.closed) throw new Unavailable('the journal is closed')
  if (rights === 'look') return state.head
  state.doubt = true
  try {
    state.store = await stores.reopen(id, state.store)
    // Closed in the meantime: no one else closes the new handle.
    if (state.closed) await state.store.close()
    const { head, damage } = await inspect(vocabulary, state.store, state.head)
    if (damage) throw damage
    state.marks =
      (await readMarks(vocabulary, state.store, head)) ?? (await rebuildIndex(vocabulary, state.store, head))
    state.tally = undefined
    state.head = head
    state.doubt = false
    return head
  } catch (error) {
    if (error instanceof Damaged || error instanceof Unavailable) throw error
    throw new Unavailable('the journal cannot be settled', { cause: error })
  }
}

const write = async <T>(state: State, { rights }: Deps, act: (store: Store) => Promise<T>): Promise<T> => {
  if (state.closed) throw new Unavailable('the journal is closed')
  if (rights === 'look') throw new Unavailable('the journal is damaged')
  if (state.doubt) throw new Unavailable('the last write must be settled first')
  const { store } = state
  try {
    return await act(store)
  } catch (error) {
    // An error of a replaced handle says nothing about the new one.
    if (store === state.store) state.doubt ||= error instanceof InDoubt || error instanceof Unavailable
    throw error instanceof Unreadable
      ? new Unavailable('the journal cannot be read', { cause: error })
      : error
  }
}

const reindex = async (state: State, deps: Deps): Promise<Marks | undefined> => {
  state.marks =
    (await derive(state, deps, (store) => rebuildIndex(deps.vocabulary, store, state.head))) ?? state.marks
  return state.marks
}

const getTally = async (state: State, deps: Deps, rebuild = false): Promise<Tally | undefined> => {
  if (rebuild || !state.tally) {
    const read = rebuild ? undefined : await readTally(state.store)
    state.tally =
      read ?? (await derive(state, deps, (store) => rebuildDedupe(deps.vocabulary, store, state.head)))
  }
  return state.tally
}

/** Indexes only save time. If they cannot be built now, readers scan the records. */
const derive = async <T>(
  state: State,
  deps: Deps,
  make: (store: Store) => Promise<T>,
): Promise<T | undefined> => {
  if (state.closed || state.doubt || deps.rights === 'look') return undefined
  try {
    return await write(state, deps, make)
  } catch (error) {
    const isLegal =
      error instanceof InDoubt ||
      error instanceof Unavailable ||
      (error instanceof Damaged && deps.rights !== 'append')
    if (isLegal) return undefined
    throw error
  }
}

/** Returns the dedupe entries that a batch adds. */
const noting = async (
  store: Store,
  keys: Keys,
  knownTally: Tally | undefined,
): Promise<{ readonly ops: readonly Op[]; readonly tally: Tally }> => {
  if (!knownTally) throw new Unavailable('the dedupe keys cannot be read')
  const { ops, tally } = await addDedupeKeys(store, keys, knownTally)
  return { ops: [...ops, toTallyOp(tally)], tally }
}
