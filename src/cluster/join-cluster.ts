/**
 * Moves the personas of a home into a cluster, one after the other: keys, files and diaries first, the
 * journal last. An interrupted move continues with the next call.
 */

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { diariesFolder, diaryAt } from '../../home/kept-diaries.ts'
import { mediaFolder, personaFolder } from '../../home/places.ts'
import { openSecrets, readSecrets } from '../../home/secrets.ts'
import { unlessAbsent } from '../../journal/leveldb/durable-files.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { isJournalId } from '../../journal/log/journal-id.ts'
import { seqInKey } from '../../journal/log/keys.ts'
import { decodeRecord } from '../../journal/log/record.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { getClusterState, halfMoved, markHome, mustGoOnWith } from '../cluster-state-file.ts'
import { HomeError } from '../home-lock.ts'
import { readCacheMark } from './jetstream/cache-mark.ts'
import type { JetStream } from './jetstream/jetstream.ts'
import { placeHistory } from './jetstream/new-history.ts'
import { sendFolder } from './jetstream/send-folder.ts'

interface Joining {
  /** The caller holds the lock of this home until the move is done. */
  readonly home: string
  readonly jetStream: JetStream
  /** Called after each persona with the head of its journal. */
  readonly onJoined: (id: PersonaId, head: Head) => void
}

/**
 * Returns the number of personas that were moved in this call. Throws HomeError before anything is moved if a
 * persona cannot be moved. Throws Unavailable or InDoubt if the servers fail.
 */
export const joinCluster = async ({ home, jetStream, onJoined: onMoved }: Joining): Promise<number> => {
  const state = getClusterState(home)
  if (state.is === 'cache') throw new HomeError(`the home ${home} is in a cluster already`)
  if (state.is === 'leaving') throw new HomeError(halfMoved(home, state))
  const identity = jetStream.identity
  mustGoOnWith(identity, home, state)
  const local = await openHomeStores(home)
  const movedIds = new Set(state.is === 'joining' ? state.moved : [])
  const remainingIds = (await local.ids()).filter((id) => !movedIds.has(id))
  const heads = new Map<PersonaId, Head>()
  for (const id of remainingIds) {
    heads.set(id, await soundHead(local, id))
    await mustHaveKeys(home, id)
  }
  await markHome(home, { is: 'joining', moved: [...movedIds], of: identity })
  for (const [id, head] of heads) {
    await move(id, { home, jetStream, local, head })
    movedIds.add(id)
    await markHome(home, { is: 'joining', moved: [...movedIds], of: identity })
    onMoved(id, head)
  }
  for (const id of movedIds) await dropKeys(home, id)
  await sendDiariesOfDeleted(home, jetStream)
  await markHome(home, { is: 'cache' })
  return remainingIds.length
}

/** Verifies the whole hash chain of the journal. Throws HomeError if it is damaged. */
const soundHead = async (local: Stores, id: PersonaId): Promise<Head> => {
  const journals = openPersonaJournals({ stores: local, witness: async () => undefined })
  try {
    const journal = await journals.open(id, 'reader')
    try {
      const { intact, head } = await journal.verify()
      if (intact) return head
    } finally {
      await journal.close()
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
  throw new HomeError(
    `the journal of ${id} is damaged: salvage it first (daimon salvage ${id}). Nothing was moved.`,
  )
}

/**
 * Throws HomeError if the keys cannot be read. To treat them as empty would delete their file after the move.
 */
const mustHaveKeys = async (home: string, id: PersonaId): Promise<void> => {
  if ((await openSecrets(home, id)).damaged)
    throw new HomeError(`the keys of ${id} are damaged: enter them again first. Nothing was moved.`)
}

/**
 * Removes the local keys after they are stored on the servers. Also removes the leftovers of an earlier
 * attempt or of a crash during a write.
 */
const dropKeys = async (home: string, id: PersonaId): Promise<void> => {
  const folder = personaFolder(home, id)
  const names = (await unlessAbsent(readdir(folder))) ?? []
  for (const name of names.filter((name) => name.startsWith('secrets')))
    await rm(join(folder, name), { recursive: true, force: true })
}

interface Moving extends Pick<Joining, 'home' | 'jetStream'> {
  readonly local: Stores
  readonly head: Head
}

const move = async (id: PersonaId, { home, jetStream, local, head }: Moving): Promise<void> => {
  const { cluster, stores } = jetStream
  const store = await local.open(id)
  let remoteHead: Head | undefined
  try {
    remoteHead = await findRemoteHead(id, { store, jetStream, head })
    // The journal is sent last. If the journal has advanced in the cluster, all its files are already there,
    // and some may have been dropped since.
    if (!remoteHead || remoteHead.hash === head.hash) await sendFilesAndKeys(id, home, jetStream)
    if (!remoteHead) await placeHistory(cluster, id, store, undefined)
  } finally {
    await store.close()
  }
  const { seq, hash } = remoteHead ?? (await readHead(stores, id))
  // After an interrupted move the journal may have advanced in the cluster.
  const isWhole = (seq === head.seq && hash === head.hash) || (remoteHead !== undefined && seq > head.seq)
  if (!isWhole)
    throw new HomeError(
      `the journal of ${id} ends differently on the servers: its local files were not removed`,
    )
}

/** Does not overwrite keys and files that are already in the cluster. */
const sendFilesAndKeys = async (id: PersonaId, home: string, jetStream: JetStream): Promise<void> => {
  const { cluster } = jetStream
  const secrets = await cluster.secrets.open(id)
  const storedSecrets = await cluster.secrets.values(id)
  for (const [ref, value] of await readSecrets(home, id))
    if (!storedSecrets.has(ref)) await secrets.put(ref, value)
  await sendFolder(cluster.files, id, mediaFolder(home, id))
  await sendDiaries(home, id, jetStream)
}

/** Returns the end of a journal as the servers have it. Throws Unavailable. */
const readHead = async (stores: Stores, id: PersonaId): Promise<Head> => {
  const [key, value] = (await stores.newestRecord(id)) ?? []
  return key && value ? { seq: seqInKey(key), hash: decodeRecord(seqInKey(key), value).hash } : emptyHead
}

interface Sought extends Pick<Moving, 'jetStream' | 'head'> {
  readonly store: Store
}

/**
 * Returns the end of the journal in the cluster, or undefined if it has none. An interrupted move is
 * recognized by the token of the cache mark or by an equal end. Throws HomeError if the cluster has another
 * journal for this id.
 */
const findRemoteHead = async (
  id: PersonaId,
  { store, jetStream, head }: Sought,
): Promise<Head | undefined> => {
  const storedKey = await jetStream.cluster.keys.get(id)
  if (!storedKey) return undefined
  const end = await readHead(jetStream.stores, id)
  if (end.hash === head.hash || (await readCacheMark(store))?.token === storedKey.token) return end
  throw new HomeError(`the cluster has a persona ${id} already, with a different history`)
}

const sendDiaries = async (home: string, id: PersonaId, { cluster: { files } }: JetStream): Promise<void> => {
  const folder = diariesFolder(home, id)
  const localNames = ((await unlessAbsent(readdir(folder))) ?? []).filter((name) => diaryAt(name, 0))
  const remoteNames = new Set(localNames.length > 0 ? await files.names(id, 'diaries') : [])
  for (const name of localNames)
    if (!remoteNames.has(name)) await files.put(id, 'diaries', name, join(folder, name))
}

/**
 * Also sends the last diary of each deleted persona. It is kept as long as the diary of a persona that is
 * deleted now.
 */
const sendDiariesOfDeleted = async (home: string, jetStream: JetStream): Promise<void> => {
  const { files, keys } = jetStream.cluster
  const folders = ((await unlessAbsent(readdir(join(home, 'diaries')))) ?? []).filter(isJournalId)
  for (const id of folders) {
    if (await keys.get(id)) continue
    await sendDiaries(home, id, jetStream)
    const names = await files.names(id, 'diaries')
    if (names.length > 0 && !names.some((name) => name.startsWith('deleted-')))
      await files.put(id, 'diaries', `deleted-${Date.now()}`)
  }
}
