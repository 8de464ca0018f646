/**
 * Files of personas on the servers. Each file has a head, which holds its token and key, and chunks, which
 * hold its bytes. A file exists once its head is stored. It is unreadable once its head is overwritten.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { InDoubt, Unavailable } from '../../../journal/log/errors.ts'
import { type ClusterKey, newKey, openSeal, sealFor } from './cluster-key.ts'
import { chunkOfSubject, type FileKind, fileOfSubject, type Names } from './places-in-cluster.ts'
import type { Incoming, Requests } from './server-requests.ts'

/** All methods reject with Unavailable. File names come from `home`. */
export interface RemoteFiles {
  /**
   * Stores a file on a majority of the servers and replaces a file with the same name. Without a path the
   * file is empty.
   */
  put(id: PersonaId, kind: FileKind, name: string, path?: string): Promise<void>
  /** Writes the bytes to the new file `into` and syncs it. Resolves to false if the file does not exist. */
  fetch(id: PersonaId, kind: FileKind, name: string, folder: string): Promise<boolean>
  names(id: PersonaId, kind: FileKind): Promise<readonly string[]>
  /** Returns the size in bytes, or undefined if the file does not exist. */
  size(id: PersonaId, kind: FileKind, name: string): Promise<number | undefined>
  /** Does nothing if the file does not exist. */
  drop(id: PersonaId, kind: FileKind, name: string): Promise<void>
  dropAll(id: PersonaId, kind: FileKind): Promise<void>
  /** Returns the files of all personas. */
  all(kind: FileKind): Promise<readonly { readonly id: PersonaId; readonly name: string }[]>
  /**
   * Removes chunks that belong to no head and to no running upload of this daemon. Call it only while no
   * other daemon may upload files of the persona.
   */
  sweep(id: PersonaId, kind: FileKind): Promise<void>
}

interface Deps {
  readonly requests: Requests
  readonly names: Names
  readonly shards: number
  readonly clusterKey: ClusterKey
}

/** Chunk size in bytes, and the number of chunks that are sent in parallel. */
const usualChunk = 512 * 1024
const atOnce = 8
/** Bytes reserved in a message for everything except the chunk. */
const frame = 1024
/**
 * Max number of empty pages, and the pause after each in ms. A server may lag behind the leader for a moment.
 */
const maxWaits = 100
const wait = 50

const format = 1
const Value = z.tuple([z.literal(format), z.string(), z.instanceof(Uint8Array)])
const HeadValue = z.tuple([z.string(), z.instanceof(Uint8Array), z.int(), z.int(), z.int(), z.int()])

/** `from`: the sequence before its first chunk. */
interface Head {
  readonly token: string
  readonly key: Buffer
  readonly chunks: number
  readonly chunkSize: number
  readonly bytes: number
  readonly from: number
}

interface FoundHead extends Head {
  readonly seq: number
}

export const createRemoteFiles = (deps: Deps): RemoteFiles => {
  const { requests, names, shards, clusterKey } = deps
  /** Tokens of the running uploads of this daemon. */
  const writingPaths = new Set<string>()

  const readHead = async (id: PersonaId, kind: FileKind, name: string): Promise<FoundHead | undefined> => {
    const entry = await requests.last(names.getFileSubjects(id), names.file(id, kind, name))
    return entry && { ...unpackHead(entry, clusterKey), seq: entry.seq }
  }
  const dropHead = async (id: PersonaId, kind: FileKind, { seq, token }: FoundHead) => {
    await requests.erase(names.getFileSubjects(id), seq)
    await requests.purge(names.getFileSubjects(id), names.chunk(id, kind, token, '*'))
  }
  const namesIn = async (id: PersonaId, kind: FileKind) => {
    const all = await requests.subjects(names.getFileSubjects(id), names.file(id, kind, '*'))
    return all.map((subject) => fileOfSubject(subject).name)
  }

  const putFile = async (id: PersonaId, kind: FileKind, name: string, token: string, path?: string) => {
    const key = newKey()
    const chunkSize = Math.min(usualChunk, requests.largest - frame)
    const send = async (bytes: Buffer, chunk: number): Promise<number> => {
      const subject = names.chunk(id, kind, token, chunk)
      const data = sealFor(key, subject, bytes)
      return (await requests.publish({ subject, data, name: `${token}.${chunk}` })) ?? 0
    }
    const sentFile =
      path === undefined ? { chunks: 0, bytes: 0, from: 0 } : await sendFile(path, chunkSize, send)
    const headBefore = await readHead(id, kind, name)
    const subject = names.file(id, kind, name)
    const data = packHead({ ...sentFile, token, key, chunkSize }, subject, clusterKey)
    await requests.publish({ subject, data, name: `${token}.head` })
    if (headBefore) await dropHead(id, kind, headBefore)
  }

  return {
    put: async (id, kind, name, path) => {
      const token = randomBytes(8).toString('hex')
      writingPaths.add(token)
      try {
        await putFile(id, kind, name, token, path)
      } catch (cause) {
        // Its chunks are removed by the next sweep.
        throw cause instanceof Unavailable
          ? cause
          : new Unavailable(
              cause instanceof InDoubt ? 'the cluster does not answer' : 'the file cannot be read',
              { cause },
            )
      } finally {
        writingPaths.delete(token)
      }
    },
    fetch: async (id, kind, name, folder) => {
      const head = await readHead(id, kind, name)
      if (!head) return false
      const filter = names.chunk(id, kind, head.token, '*')
      await receiveFile({ requests, stream: names.getFileSubjects(id), filter, head, folder })
      return true
    },
    names: namesIn,
    size: async (id, kind, name) => (await readHead(id, kind, name))?.bytes,
    drop: async (id, kind, name) => {
      const head = await readHead(id, kind, name)
      if (head) await dropHead(id, kind, head)
    },
    dropAll: async (id, kind) => {
      for (const name of await namesIn(id, kind)) {
        const head = await requests.last(names.getFileSubjects(id), names.file(id, kind, name))
        if (head) await requests.erase(names.getFileSubjects(id), head.seq)
      }
      await requests.purge(names.getFileSubjects(id), names.everyFile(id, kind))
    },
    all: async (kind) => {
      const subject = names.file('*', kind, '*')
      const subjectLists = Array.from({ length: shards }, (_, shard) =>
        requests.subjects(names.files(shard), subject),
      )
      return (await Promise.all(subjectLists)).flat().map(fileOfSubject)
    },
    sweep: async (id, kind) => {
      const stream = names.getFileSubjects(id)
      const chunks = await requests.subjects(stream, names.chunk(id, kind, '*', '*'))
      const tokens = new Set(chunks.map((subject) => chunkOfSubject(subject).token))
      for (const token of writingPaths) tokens.delete(token)
      for (const name of tokens.size === 0 ? [] : await namesIn(id, kind))
        tokens.delete((await readHead(id, kind, name))?.token ?? '')
      for (const token of tokens) await requests.purge(stream, names.chunk(id, kind, token, '*'))
    },
  }
}

const packHead = (
  { token, key, chunks, chunkSize, bytes, from }: Head,
  subject: string,
  { id, bytes: clusterKey }: ClusterKey,
): Buffer => {
  const manifestBytes = encode([token, key, chunks, chunkSize, bytes, from])
  return Buffer.from(encode([format, id, sealFor(clusterKey, subject, manifestBytes)]))
}

const unpackHead = ({ subject, data }: Incoming, { id, bytes: clusterKey }: ClusterKey): Head => {
  const [, sealedBy, ciphertext] = Value.parse(decode(data))
  const plaintext = openSeal(clusterKey, subject, ciphertext)
  if (!plaintext)
    throw new Unavailable(
      sealedBy === id
        ? "the key of a file cannot be decrypted with the cluster's key"
        : `a file was sealed with the cluster key ${sealedBy}, and this daemon has ${id}`,
    )
  const [token, key, chunks, chunkSize, bytes, from] = HeadValue.parse(decode(plaintext))
  return { token, key: Buffer.from(key), chunks, chunkSize, bytes, from }
}

const sendFile = async (
  path: string,
  chunkSize: number,
  send: (bytes: Buffer, chunk: number) => Promise<number>,
): Promise<Pick<Head, 'chunks' | 'bytes' | 'from'>> => {
  const file = await open(path, 'r')
  try {
    let chunks = 0
    let bytes = 0
    let first = Number.POSITIVE_INFINITY
    for (let isAll = false; !isAll; ) {
      const page: Buffer[] = []
      while (page.length < atOnce && !isAll) {
        const piece = await readPiece(file, chunkSize, bytes)
        bytes += piece.length
        isAll = piece.length < chunkSize
        if (piece.length > 0) page.push(piece)
      }
      const sentPieces = await Promise.all(page.map((piece, n) => send(piece, chunks + n)))
      first = Math.min(first, ...sentPieces)
      chunks += page.length
    }
    return { chunks, bytes, from: chunks === 0 ? 0 : first - 1 }
  } finally {
    await file.close()
  }
}

/** Returns `size` bytes, or fewer at the end of the file. */
const readPiece = async (file: FileHandle, size: number, from: number): Promise<Buffer> => {
  const piece = Buffer.allocUnsafe(size)
  for (let filledBytes = 0; ; ) {
    const { bytesRead } = await file.read(piece, filledBytes, size - filledBytes, from + filledBytes)
    filledBytes += bytesRead
    if (bytesRead === 0 || filledBytes === size) return piece.subarray(0, filledBytes)
  }
}

interface Receiving {
  readonly requests: Requests
  readonly stream: string
  readonly filter: string
  readonly head: Head
  readonly folder: string
}

/** Writes each chunk at its offset, because the servers may store chunks in any order. */
const receiveFile = async ({ requests, stream, filter, head, folder }: Receiving): Promise<void> => {
  const { key, chunks, chunkSize, bytes } = head
  const file = await open(folder, 'wx', 0o600).catch(onDisk)
  try {
    const receivedPieces = new Set<number>()
    for (let [afterSeq, waits] = [head.from, 0]; receivedPieces.size < chunks; ) {
      const page = await requests.page(stream, filter, afterSeq)
      if (page.length === 0 && ++waits > maxWaits)
        throw new Unavailable('a file is incomplete in the cluster')
      if (page.length === 0) await delay(wait)
      for (const { subject, data } of page) {
        const piece = openSeal(key, subject, data)
        if (!piece) throw new Unavailable('a file is damaged in the cluster')
        const { chunk } = chunkOfSubject(subject)
        await file.write(piece, 0, piece.length, chunk * chunkSize).catch(onDisk)
        receivedPieces.add(chunk)
      }
      afterSeq = page.at(-1)?.seq ?? afterSeq
    }
    if ((await file.stat()).size !== bytes) throw new Unavailable('a file is incomplete in the cluster')
    await file.sync().catch(onDisk)
  } finally {
    await file.close()
  }
}

const onDisk = (cause: unknown): never => {
  throw new Unavailable('the file cannot be written', { cause })
}
