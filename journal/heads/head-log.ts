/**
 * The logs of signed heads, one for each journal, in files beside its journal:
 *
 * - `leaves`: the heads, appended and synced, 107 bytes each
 * - `hashes`: hashes of the tree; calculated again from `leaves` if they are missing or wrong
 * - `checkpoint`: the signed root of the log, replaced as a whole
 * - `keys`: one line of JSON for each public key, with the last checkpoint that the previous one signed
 *
 * A crash before the checkpoint leaves a head without a signature, which the next checkpoint includes.
 */
import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as yieldNow } from 'node:timers/promises'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import * as z from 'zod'
import { fileExists, makeInnerFolder, syncFolder, writeWhole } from '../leveldb/durable-files.ts'
import { Unavailable } from '../log/errors.ts'
import type { Head, JournalId } from '../log/head.ts'
import {
  countStored,
  hashBytes,
  hashesOfLeaf,
  isExtension,
  proveConsistency,
  proveInclusion,
  readFrom,
  rootOf,
} from './merkle-hashes.ts'
import {
  type Checkpoint,
  formatVerifierKey,
  openCheckpoint,
  parseCheckpoint,
  parseVerifierKey,
  publicBytes,
  signCheckpoint,
} from './signed-note.ts'
import type { StoredHeadLog } from './stored-head-log.ts'
import { type CheckedLog, formatLeaf, formatWitness, parseLeaf, type SignedHead } from './witness.ts'

/** The log contradicts its own checkpoint. The message says how. Nothing is signed until it is put back. */
export class HeadLogDamaged extends Error {
  override readonly name = 'HeadLogDamaged'
}

/** A key of the log. `from`: number of heads when it was first used. */
const KeyLine = z.object({
  key: z.string().max(500),
  from: z.int().min(0),
  time: z.iso.datetime(),
  /** The last checkpoint that the previous key signed. */
  before: z.string().max(10_000).nullable(),
})
type KeyLine = z.infer<typeof KeyLine>

export interface ProvenHead extends SignedHead {
  readonly index: number
  /** From the leaf up to the root of the checkpoint. */
  readonly proof: readonly Buffer[]
}

export interface HeadLogView {
  readonly origin: string
  /** Number of heads that the checkpoint covers. */
  readonly size: number
  readonly checkpoint: string
  readonly keys: readonly KeyLine[]
  /** Oldest first. */
  readonly heads: readonly ProvenHead[]
  /** Shows that the log extends its first `since` heads. */
  readonly consistency: readonly Buffer[]
}

export interface SignedNow {
  /** False if the head was signed before. */
  readonly isNew: boolean
  readonly head: ProvenHead
  /** The text of a witness file. */
  readonly witness: string
  /** A key that is used for the first time in a log with an older one. */
  readonly hasNewKey: boolean
}

/** All methods throw HeadLogDamaged or Unavailable. */
export interface HeadLogs {
  /** Signs the head of a journal, unless it is signed. Durable when it resolves. */
  sign(id: JournalId, head: Head): Promise<SignedNow>
  /** Returns the last heads with their proofs; null if none was signed. `since`: an older size of the log. */
  view(id: JournalId, range: { readonly last: number; readonly since?: number }): Promise<HeadLogView | null>
  /** Checks every signature and hash of a log. Null if none was signed. */
  check(id: JournalId): Promise<CheckedLog | null>
  /** Returns the number of signed heads and the last one, without checks; null if none was signed. */
  summary(id: JournalId): Promise<{ readonly size: number; readonly last: SignedHead } | null>
  store(id: JournalId): Promise<StoredHeadLog | null>
  /**
   * Takes the log of a backup, unless there is a longer one that continues it. Any other log that the
   * backup's does not continue is kept beside it; returns the name of its folder, or null.
   */
  adopt(id: JournalId, storedLog: StoredHeadLog): Promise<string | null>
}

interface LogFiles {
  /** Whole leaves only, without what an interrupted write left. */
  readonly leaves: Buffer
  readonly treeHashes: Buffer
  readonly note: string | null
  readonly keys: readonly KeyLine[]
}

/** Bytes of a leaf with its line end. */
const leafBytes = 107
const createKeys = promisify(generateKeyPair)

/** Where the logs and the private key are. The parent of each folder must exist. */
export interface HeadPlaces {
  folder(id: JournalId): string
  readonly keyFile: string
}

/** `now` returns epoch milliseconds. */
export const createHeadLogs = (places: HeadPlaces, now: () => number): HeadLogs => {
  const oneAtATime = pLimit(1)
  let key: Promise<KeyObject> | undefined
  const loadKey = () => {
    key ??= readOrCreateKey(places.keyFile).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }
  const onDisk = <T>(id: JournalId, work: (folder: string) => Promise<T>): Promise<T> =>
    oneAtATime(async () => {
      try {
        const folder = places.folder(id)
        await finishAdoption(folder)
        return await work(folder)
      } catch (error) {
        if (!(error instanceof Error && 'syscall' in error)) throw error
        throw new Unavailable('the log of signed heads cannot be read or written', { cause: error })
      }
    })
  return {
    sign: (id, head) =>
      onDisk(id, async (folder) => signHead(folder, head, { key: await loadKey(), now: now() })),
    view: (id, { last, since }) =>
      onDisk(id, async (folder) => {
        const log = await readSound(folder)
        return log && viewOf(log, last, since)
      }),
    check: (id) => onDisk(id, async (folder) => checkLog(await readFiles(folder))),
    summary: (id) =>
      onDisk(id, async (folder) => {
        const { leaves } = await readFiles(folder)
        const last = leafAt(leaves, leaves.length / leafBytes - 1)
        return last ? { size: leaves.length / leafBytes, last } : null
      }),
    store: (id) => onDisk(id, async (folder) => toStored(await readFiles(folder))),
    adopt: (id, storedLog) => onDisk(id, (folder) => adoptLog(folder, storedLog, new Date(now()))),
  }
}

/** A key that cannot be read is never replaced. */
const readOrCreateKey = async (path: string): Promise<KeyObject> => {
  const pem = await readFile(path, 'utf8').catch(ifMissing(null))
  if (pem === null) {
    const { privateKey } = await createKeys('ed25519')
    await writeWhole(path, Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' })))
    return privateKey
  }
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Its message could contain a part of the key.
  }
  throw new HeadLogDamaged(
    `The private key that signs heads (${basename(path)}) cannot be read. Put it back, or move it away to sign with a new key.`,
  )
}

const ifMissing =
  <T>(fallback: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return fallback
    throw error
  }

const readFiles = async (folder: string): Promise<LogFiles> => {
  const [leaves, treeHashes, note, keys] = await Promise.all([
    readFile(join(folder, 'leaves')).catch(ifMissing(Buffer.alloc(0))),
    readFile(join(folder, 'hashes')).catch(ifMissing(Buffer.alloc(0))),
    readFile(join(folder, 'checkpoint'), 'utf8').catch(ifMissing(null)),
    readFile(join(folder, 'keys'), 'utf8').catch(ifMissing('')),
  ])
  const tornBytes = leaves.length % leafBytes
  return { leaves: leaves.subarray(0, leaves.length - tornBytes), treeHashes, note, keys: parseKeys(keys) }
}

/** Ignores a line without an end, which an interrupted write left. */
const parseKeys = (text: string): readonly KeyLine[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      try {
        return KeyLine.parse(JSON.parse(line))
      } catch {
        throw new HeadLogDamaged('The list of keys of the log of signed heads is damaged.')
      }
    })

const leafAt = (leaves: Buffer, index: number): SignedHead | undefined =>
  index < 0 ? undefined : parseLeaf(dataAt(leaves, index).toString())

/** Returns a leaf without its line end. */
const dataAt = (leaves: Buffer, index: number): Buffer =>
  leaves.subarray(index * leafBytes, (index + 1) * leafBytes - 1)

interface SoundLog {
  readonly files: LogFiles
  readonly size: number
  /** Matches the checkpoint. */
  readonly treeHashes: Buffer
  /** Whether `treeHashes` is what the file contains. */
  readonly isStored: boolean
  readonly checkpoint: Checkpoint
  readonly note: string
}

/** Returns null if there is no checkpoint yet. Throws HeadLogDamaged if the heads do not match it. */
const readSound = async (folder: string): Promise<SoundLog | null> => {
  const files = await readFiles(folder)
  const size = files.leaves.length / leafBytes
  const { note } = files
  if (note === null) {
    // A crash can leave one head without a checkpoint, but not more.
    if (size > 1) throw new HeadLogDamaged(`The checkpoint of ${size} signed heads is missing.`)
    return null
  }
  const checkpoint = parseCheckpoint(note)?.checkpoint
  if (!checkpoint) throw new HeadLogDamaged('The checkpoint of the signed heads is damaged.')
  if (checkpoint.size > size)
    throw new HeadLogDamaged(
      `The log of signed heads was rolled back: ${checkpoint.size} heads were signed, and ${size} are left.`,
    )
  const matches = (treeHashes: Buffer) =>
    treeHashes.length >= countStored(size) * hashBytes &&
    rootOf(readFrom(treeHashes), checkpoint.size).equals(checkpoint.root)
  if (matches(files.treeHashes))
    return { files, size, treeHashes: files.treeHashes, isStored: true, checkpoint, note }
  const treeHashes = await hashAll(files.leaves)
  if (!matches(treeHashes))
    throw new HeadLogDamaged('The log of signed heads was altered: its heads do not match its checkpoint.')
  return { files, size, treeHashes, isStored: false, checkpoint, note }
}

const isSignedWith = async (note: string, key: string): Promise<boolean> => {
  const verifierKey = parseVerifierKey(key)
  return verifierKey !== undefined && (await openCheckpoint(note, verifierKey)) !== undefined
}

/** Leaves that are hashed without yielding to the event loop. Measured: about 5 ms. */
const leavesAtOnce = 500

const hashAll = async (leaves: Buffer): Promise<Buffer> => {
  const size = leaves.length / leafBytes
  const treeHashes = Buffer.alloc(countStored(size) * hashBytes)
  for (let index = 0; index < size; index++) {
    const hashes = hashesOfLeaf(dataAt(leaves, index), index, readFrom(treeHashes))
    Buffer.concat(hashes).copy(treeHashes, countStored(index) * hashBytes)
    if (index % leavesAtOnce === leavesAtOnce - 1) await yieldNow()
  }
  return treeHashes
}

const signHead = async (
  folder: string,
  head: Head,
  { key, now }: { readonly key: KeyObject; readonly now: number },
): Promise<SignedNow> => {
  const log = await readSound(folder)
  // A head without a checkpoint was never shown, so it is written again.
  const files = log?.files ?? { ...(await readFiles(folder)), leaves: Buffer.alloc(0) }
  const { leaves, keys } = files
  const oldSize = leaves.length / leafBytes
  const last = leafAt(leaves, oldSize - 1)
  const lastKey = keys.at(-1)
  const origin =
    log?.checkpoint.origin ??
    parseVerifierKey(lastKey?.key ?? '')?.name ??
    `daimon.internal/heads/${randomBytes(16).toString('hex')}`
  const verifierKey = formatVerifierKey(origin, publicBytes(key))
  const isMoved = !last || last.seq !== head.seq || last.hash !== head.hash
  const isNewKey = lastKey?.key !== verifierKey
  const time = new Date(now).toISOString()
  const signedHead = isMoved ? { ...head, time } : last
  const index = isMoved ? oldSize : oldSize - 1
  const size = index + 1
  let treeHashes = log?.treeHashes ?? (await hashAll(leaves))
  let note = log?.note ?? ''
  // A crash can leave a checkpoint of the previous key.
  const isSigned = log !== null && (await isSignedWith(note, verifierKey))
  if (isMoved || isNewKey || !isSigned || log?.checkpoint.size !== size) {
    await makeInnerFolder(folder)
    if (isMoved) {
      const data = Buffer.from(formatLeaf(signedHead))
      await appendTo(join(folder, 'leaves'), leaves.length, Buffer.concat([data, Buffer.from('\n')]), true)
      const newHashes = Buffer.concat(hashesOfLeaf(data, oldSize, readFrom(treeHashes)))
      const start = countStored(oldSize) * hashBytes
      treeHashes = Buffer.concat([treeHashes.subarray(0, start), newHashes])
      const isWhole = log?.isStored === true
      await appendTo(join(folder, 'hashes'), isWhole ? start : 0, isWhole ? newHashes : treeHashes, false)
    }
    if (isNewKey) {
      const line: KeyLine = { key: verifierKey, from: index, time, before: lastKey ? note || null : null }
      await writeWhole(join(folder, 'keys'), Buffer.from(toText([...keys, line])))
    }
    note = await signCheckpoint({ origin, size, root: rootOf(readFrom(treeHashes), size) }, key)
    await writeWhole(join(folder, 'checkpoint'), Buffer.from(note))
    if (oldSize === 0) await syncFolder(join(folder, '..'))
  }
  const proof = proveInclusion(readFrom(treeHashes), index, size)
  return {
    isNew: isMoved,
    head: { ...signedHead, index, proof },
    witness: formatWitness({ head: signedHead, key: verifierKey, index, proof, checkpoint: note }),
    hasNewKey: isNewKey && lastKey !== undefined,
  }
}

/** Writes bytes at the end of the valid part of a file, and removes what an interrupted write left behind. */
const appendTo = async (path: string, end: number, bytes: Buffer, isSynced: boolean): Promise<void> => {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return open(path, 'wx+', 0o600)
  })
  try {
    await file.truncate(end)
    await file.write(bytes, 0, bytes.length, end)
    if (isSynced) await file.sync()
  } finally {
    await file.close()
  }
}

const viewOf = (
  { files: { leaves, keys }, treeHashes, checkpoint, note }: SoundLog,
  last: number,
  sinceSize: number | undefined,
): HeadLogView => {
  const { size, origin } = checkpoint
  const readHash = readFrom(treeHashes)
  const first = Math.max(0, size - last)
  return {
    origin,
    size,
    checkpoint: note,
    keys,
    heads: Array.from({ length: size - first }, (_, n) => {
      const index = first + n
      return { ...headAt(leaves, index), index, proof: proveInclusion(readHash, index, size) }
    }),
    consistency:
      sinceSize === undefined || sinceSize > size ? [] : proveConsistency(readHash, sinceSize, size),
  }
}

const headAt = (leaves: Buffer, index: number): SignedHead => {
  const head = leafAt(leaves, index)
  if (!head) throw new HeadLogDamaged(`The signed head ${index} is damaged.`)
  return head
}

const checkLog = async (files: LogFiles): Promise<CheckedLog | null> => {
  const { leaves, note, keys } = files
  if (note === null) {
    if (leaves.length > leafBytes) throw new HeadLogDamaged('The checkpoint of the signed heads is missing.')
    return null
  }
  const treeHashes = await hashAll(leaves)
  const size = leaves.length / leafBytes
  const newestCheckpoint = await openNote(note, keys.at(-1)?.key ?? '')
  const isPartOf = ({ size: part, root }: Checkpoint) =>
    part <= size && rootOf(readFrom(treeHashes), part).equals(root)
  if (newestCheckpoint.size > size)
    throw new HeadLogDamaged(
      `The log of signed heads was rolled back: ${newestCheckpoint.size} heads were signed, and ${size} are left.`,
    )
  if (!isPartOf(newestCheckpoint))
    throw new HeadLogDamaged('The log of signed heads was altered: its heads do not match its checkpoint.')
  for (const [n, { before }] of keys.entries()) {
    if (before === null) continue
    if (!isPartOf(await openNote(before, keys[n - 1]?.key ?? '')))
      throw new HeadLogDamaged('The log of signed heads does not continue what an earlier key signed.')
  }
  return {
    origin: newestCheckpoint.origin,
    size: newestCheckpoint.size,
    keys: keys.map(({ key }) => key),
    heads: Array.from({ length: newestCheckpoint.size }, (_, index) => headAt(leaves, index)),
    extendsCheckpoint: async (olderCheckpoint) => {
      if (olderCheckpoint.size > newestCheckpoint.size) return false
      const proof = proveConsistency(readFrom(treeHashes), olderCheckpoint.size, newestCheckpoint.size)
      return isExtension(olderCheckpoint, newestCheckpoint, proof)
    },
  }
}

const openNote = async (note: string, key: string): Promise<Checkpoint> => {
  const verifierKey = parseVerifierKey(key)
  const checkpoint = verifierKey && (await openCheckpoint(note, verifierKey))
  if (!checkpoint)
    throw new HeadLogDamaged('A checkpoint of the signed heads has no valid signature of its key.')
  return checkpoint
}

const toText = (keys: readonly KeyLine[]): string => keys.map((line) => `${JSON.stringify(line)}\n`).join('')

const toStored = ({ leaves, note, keys }: LogFiles): StoredHeadLog | null => {
  const size = note === null ? 0 : (parseCheckpoint(note)?.checkpoint.size ?? 0)
  if (note === null || size === 0) return null
  return { leaves: leaves.toString('latin1', 0, size * leafBytes), checkpoint: note, keys: toText(keys) }
}

/** Reads the log of a backup as if it were in files. */
const readStored = ({ leaves, checkpoint, keys }: StoredHeadLog): LogFiles => ({
  leaves: Buffer.from(leaves, 'latin1'),
  treeHashes: Buffer.alloc(0),
  note: checkpoint,
  keys: parseKeys(keys),
})

/** Checks a log from a backup. Throws HeadLogDamaged. */
export const checkStored = async (storedLog: StoredHeadLog): Promise<CheckedLog> => {
  if (storedLog.leaves.length % leafBytes !== 0)
    throw new HeadLogDamaged('The log of signed heads is cut off.')
  const log = await checkLog(readStored(storedLog))
  if (!log) throw new HeadLogDamaged('The log of signed heads has no checkpoint.')
  return log
}

/** The whole log of a backup before it takes the place of the current one. */
const nextLog = (folder: string): string => `${folder}.next`

const adoptLog = async (folder: string, storedLog: StoredHeadLog, date: Date): Promise<string | null> => {
  await checkStored(storedLog)
  const files = readStored(storedLog)
  const { leaves } = await readFiles(folder)
  if (leaves.subarray(0, files.leaves.length).equals(files.leaves)) return null
  const isContinued = files.leaves.subarray(0, leaves.length).equals(leaves)
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeWhole(join(draft, 'leaves'), files.leaves)
  await writeWhole(join(draft, 'keys'), Buffer.from(toText(files.keys)))
  await writeWhole(join(draft, 'checkpoint'), Buffer.from(storedLog.checkpoint))
  // From here on, a crash loses none of the two: `finishAdoption` puts the next one in place.
  await rename(draft, nextLog(folder))
  const keptFolder = await findFreeName(`${folder}.parted-${date.toISOString().replace(/[-:.]/g, '')}`)
  const wasThere = await rename(folder, keptFolder).then(() => true, ifMissing(false))
  await finishAdoption(folder)
  if (!wasThere) return null
  if (!isContinued) return basename(keptFolder)
  await rm(keptFolder, { recursive: true, force: true })
  return null
}

/** Puts a log in place that an interrupted adoption left, unless the current one is still there. */
const finishAdoption = async (folder: string): Promise<void> => {
  const next = nextLog(folder)
  if (!(await fileExists(next))) return
  if (await fileExists(folder)) return rm(next, { recursive: true, force: true })
  await rename(next, folder)
  await syncFolder(join(folder, '..'))
}

const findFreeName = async (path: string): Promise<string> => {
  let name = path
  for (let n = 2; await fileExists(name); n++) name = `${path}-${n}`
  return name
}
