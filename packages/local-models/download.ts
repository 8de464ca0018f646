/**
 * Downloads a file. An interrupted download continues where it stopped, also after a crash of the daemon.
 * The file gets its name only after its SHA-256 was verified.
 */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { syncFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'
import { pauseAfter } from '../kit/flow/backoff.ts'
import type { Network } from '../kit/network/network.ts'
import { ModelError } from '../models/models.ts'
import { fetchFollowing, type RemoteFile, toDownloadError, toStatusError } from './remote-file.ts'

export interface DownloadDeps {
  readonly network: Network
  /** Returns the free bytes of the disk of a folder, or null if they are unknown. */
  readonly freeBytes?: (folder: string) => Promise<number | null>
  /** Waits between two attempts, in ms, or until the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface DownloadReport {
  readonly status: 'downloading' | 'verifying'
  readonly completed: number
  readonly total: number | null
}

/** Free space that must be left, because personas cannot write to a full disk. */
const reserveBytes = 1e9
/** Consecutive attempts without a new byte. */
const maxAttempts = 5
const checkEveryBytes = 64 * 1024 * 1024

/** What is known of a partial file. `etag`: of the response that it comes from. */
const PartNote = z.object({ sha256: z.string(), etag: z.string().nullable() })

interface Part {
  readonly file: RemoteFile
  readonly path: string
  readonly handle: FileHandle
  hash: Hash
  offset: number
  etag: string | null
  readonly wasResumed: boolean
}

/** Throws ModelError, or the reason of the signal. Leaves a partial file only if it can be continued. */
export const downloadFile = async (
  deps: DownloadDeps,
  file: RemoteFile,
  path: string,
  report: (progress: DownloadReport) => void,
  signal: AbortSignal,
): Promise<void> => {
  const part = await openPart(file, path, report, signal)
  try {
    await checkSpace(deps, part)
    await transferAll(deps, part, report, signal)
    report({ status: 'verifying', completed: part.offset, total: part.offset })
    if (part.hash.copy().digest('hex') !== file.sha256) {
      if (!part.wasResumed) throw wrongBytes(file)
      // A crash of the machine can damage the end of a partial file.
      await restart(part)
      await transferAll(deps, part, report, signal)
      if (part.hash.digest('hex') !== file.sha256) throw wrongBytes(file)
    }
    await part.handle.sync()
  } catch (error) {
    await part.handle.close()
    if (!isResumable(error, signal)) await removePart(path)
    throw error
  }
  await part.handle.close()
  await rename(partPath(path), path)
  await syncFolder(dirname(path))
  await rm(notePath(path), { force: true })
}

/** Removes a partial file. */
export const removePart = async (path: string): Promise<void> => {
  await rm(partPath(path), { force: true })
  await rm(notePath(path), { force: true })
}

const partPath = (path: string): string => `${path}.part`
const notePath = (path: string): string => `${path}.part.json`

/** A lasting error, such as wrong bytes or a full disk, cannot be repaired by continuing. */
const isResumable = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (error instanceof ModelError && !error.isLasting)

const wrongBytes = ({ url }: RemoteFile) =>
  new ModelError(
    `The file from ${new URL(url).host} is not the one that was promised (its SHA-256 differs). It was deleted. Try again, or check HF_ENDPOINT and the proxy.`,
    true,
  )

/** Opens the partial file of an earlier attempt at the same bytes, or an empty one. */
const openPart = async (
  file: RemoteFile,
  path: string,
  report: (progress: DownloadReport) => void,
  signal: AbortSignal,
): Promise<Part> => {
  const note = await readNote(path)
  const isSame = note?.sha256 === file.sha256
  if (!isSame) await removePart(path)
  const handle = await open(partPath(path), isSame ? 'a+' : 'ax+', 0o600).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await removePart(path)
    return open(partPath(path), 'ax+', 0o600)
  })
  const hash = createHash('sha256')
  const part: Part = { file, path, handle, hash, offset: 0, etag: note?.etag ?? null, wasResumed: isSame }
  try {
    part.offset = isSame ? await hashExisting(handle, hash, file, report, signal) : 0
  } catch (error) {
    await handle.close()
    throw error
  }
  return part
}

const readNote = async (path: string): Promise<z.output<typeof PartNote> | null> => {
  try {
    return PartNote.parse(JSON.parse(await readFile(notePath(path), 'utf8')))
  } catch {
    return null
  }
}

/** Hashes what is there in pieces, so that other work of the process continues. */
const hashExisting = async (
  handle: FileHandle,
  hash: Hash,
  { bytes }: RemoteFile,
  report: (progress: DownloadReport) => void,
  signal: AbortSignal,
): Promise<number> => {
  const buffer = Buffer.alloc(256 * 1024)
  for (let offset = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    if (bytesRead === 0) return offset
    hash.update(buffer.subarray(0, bytesRead))
    offset += bytesRead
    if (offset % checkEveryBytes < buffer.length)
      report({ status: 'verifying', completed: offset, total: bytes })
  }
}

const restart = async (part: Part): Promise<void> => {
  await part.handle.truncate(0)
  part.hash = createHash('sha256')
  part.offset = 0
  part.etag = null
}

const usualFreeBytes = async (folder: string): Promise<number | null> => {
  const stats = await statfs(folder).catch(() => null)
  return stats && stats.bavail * stats.bsize
}

/** Throws ModelError if the rest of the file does not fit on the disk. */
const checkSpace = async ({ freeBytes = usualFreeBytes }: DownloadDeps, part: Part): Promise<void> => {
  const { file, offset, path } = part
  const availableBytes = await freeBytes(dirname(path))
  const neededBytes = Math.max(0, (file.bytes ?? 0) - offset)
  if (availableBytes === null || availableBytes >= neededBytes + reserveBytes) return
  throw new ModelError(
    `The disk has ${toGigabytes(availableBytes)} free. The download needs ${toGigabytes(neededBytes)} more, and ${toGigabytes(reserveBytes)} must stay free. Delete something and try again.`,
    true,
  )
}

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Transfers until the file is complete. Continues after a cut connection. */
const transferAll = async (
  deps: DownloadDeps,
  part: Part,
  report: (progress: DownloadReport) => void,
  signal: AbortSignal,
): Promise<void> => {
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    const previousOffset = part.offset
    try {
      await transfer(deps, part, report, signal)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError) || error.isLasting) throw error
      failures = part.offset > previousOffset ? 1 : failures + 1
      if (failures >= maxAttempts) throw error
      await deps.wait(pauseAfter(failures, { longest: 15_000 }), signal)
    }
  }
}

/** Transfers the rest of the file with one request. Throws if the response ends early. */
const transfer = async (
  deps: DownloadDeps,
  part: Part,
  report: (progress: DownloadReport) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { file } = part
  if (file.bytes !== null && part.offset === file.bytes) return
  const { host } = new URL(file.url)
  // Without a strong ETag a changed file cannot be noticed before the end.
  const ifRange = part.etag?.startsWith('"') ? { 'if-range': part.etag } : {}
  const response = await fetchFollowing(deps.network, file.url, {
    headers: { range: `bytes=${part.offset}-`, ...(part.offset > 0 && ifRange) },
    signal,
  })
  const total = await beginResponse(part, response)
  report({ status: 'downloading', completed: part.offset, total })
  await writeBody(deps, part, response, total, report)
  if (total !== null && part.offset < total)
    throw new ModelError(
      `${host} ended the download after ${toGigabytes(part.offset)} of ${toGigabytes(total)}. What arrived is kept; try again to continue.`,
    )
}

/** Checks the head of a response and notes where it comes from. Returns the size of the whole file. */
const beginResponse = async (part: Part, response: Response): Promise<number | null> => {
  const { file } = part
  const { status, headers } = response
  const { host } = new URL(file.url)
  const refuse = async (error: ModelError) => {
    await response.body?.cancel()
    return error
  }
  if (status === 416) {
    await restart(part)
    throw await refuse(new ModelError(`${host} refused to continue the download. It starts again.`))
  }
  if (status !== 200 && status !== 206) throw await refuse(toStatusError(status, file.url))
  if (/^text\/|^application\/(?:json|xhtml)/i.test(headers.get('content-type') ?? ''))
    throw await refuse(notAModel(host))
  const [, start = '', size = ''] =
    /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  const total = /^\d+$/.test(size) ? Number(size) : file.bytes
  if (file.bytes !== null && total !== file.bytes)
    throw await refuse(
      new ModelError(
        `${host} offers a file of ${total} bytes instead of ${file.bytes}. It was not downloaded.`,
        true,
      ),
    )
  if (status === 200) await restart(part)
  else if (start !== String(part.offset)) {
    await restart(part)
    throw await refuse(
      new ModelError(`${host} sent another part of the file than requested. It starts again.`),
    )
  }
  part.etag = headers.get('etag')
  const note = JSON.stringify({ sha256: file.sha256, etag: part.etag })
  await writeWhole(notePath(part.path), Buffer.from(note))
  return total
}

const notAModel = (host: string) =>
  new ModelError(
    `${host} sent a web page or a text instead of a model file. Is there a login page of a network in between?`,
    true,
  )

const writeBody = async (
  { freeBytes = usualFreeBytes }: DownloadDeps,
  part: Part,
  response: Response,
  total: number | null,
  report: (progress: DownloadReport) => void,
): Promise<void> => {
  const { file } = part
  const reader = response.body?.getReader()
  let nextCheck = part.offset + checkEveryBytes
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || value === undefined) return
      if (part.offset === 0 && !startsLikeModel(value)) throw notAModel(new URL(file.url).host)
      if (total !== null && part.offset + value.byteLength > total) throw wrongBytes(file)
      await part.handle.appendFile(value)
      part.hash.update(value)
      part.offset += value.byteLength
      report({ status: 'downloading', completed: part.offset, total })
      if (part.offset < nextCheck) continue
      nextCheck = part.offset + checkEveryBytes
      const availableBytes = await freeBytes(dirname(part.path))
      if (availableBytes !== null && availableBytes < reserveBytes / 4) throw diskFull()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw diskFull()
    throw toDownloadError(error, file.url)
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

const diskFull = () =>
  new ModelError('The disk is full. The partial download was deleted. Free some space and try again.', true)

/** GGUF files start with these letters. A first chunk may be shorter. */
const startsLikeModel = (chunk: Uint8Array): boolean =>
  'GGUF'.startsWith(Buffer.from(chunk.subarray(0, 4)).toString('latin1')) && chunk.byteLength > 0

/** Returns the bytes of a partial file, 0 if there is none. */
export const partBytes = async (path: string): Promise<number> =>
  stat(partPath(path)).then(
    ({ size }) => size,
    () => 0,
  )
