/**
 * Marks on disk for the imports that are running. If the daemon ended twice during the import of a file, and
 * nothing of the file was stored in between, the import is not started a third time. A mark is a small file,
 * `feeding/<sha256>`, with a line for each daemon that started the import. It is removed when the import
 * ends, also when it fails.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { PersonaId } from '../../facts/fact-values.ts'
import { feedingFolder } from '../../home/places.ts'
import { makeInnerFolder, syncFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { version } from '../kit/version.ts'
import { Unreadable } from './unreadable.ts'

export interface Mark {
  /**
   * Call this once something of the file is stored: earlier crashes do not count for the rest of the file.
   */
  wentOn(): Promise<void>
  end(): Promise<void>
}

export interface Begun {
  /** Rejects with `Unreadable` `ended_twice`, or with Unavailable if the mark cannot be written. */
  begin(id: PersonaId, sha256: string): Promise<Mark>
}

const maxEnds = 2

export const createBegun = (home: string): Begun => {
  // Another version of the daemon may read the file without a crash.
  const ownMark = `${version} ${randomUUID()}`
  /** How many imports of each file run in this process. */
  const activeCounts = new Map<string, number>()

  /** One at a time: a preview and an import of the same file may start together. */
  const limit = pLimit(1)
  const inOrder = <T>(act: () => Promise<T>): Promise<T> => limit(() => onDisk(act))

  const endBegun = async (path: string): Promise<readonly string[]> => {
    const lines = await readFile(path, 'utf8').catch(ignoreAbsent)
    return lines.split('\n').filter((line) => line.startsWith(`${version} `) && line !== ownMark)
  }
  const write = (path: string, lines: readonly string[]) =>
    writeWhole(path, Buffer.from(`${lines.join('\n')}\n`))

  const beginWork = async (folder: string, path: string): Promise<boolean> => {
    const endsBefore = await endBegun(path)
    if (endsBefore.length >= maxEnds) throw new Unreadable('ended_twice')
    await makeInnerFolder(folder)
    await write(path, [...endsBefore, ownMark])
    activeCounts.set(path, (activeCounts.get(path) ?? 0) + 1)
    return endsBefore.length > 0
  }
  const end = async (folder: string, path: string): Promise<void> => {
    const remainingCount = (activeCounts.get(path) ?? 1) - 1
    if (remainingCount > 0) return void activeCounts.set(path, remainingCount)
    activeCounts.delete(path)
    await rm(path, { force: true })
    await syncFolder(folder).catch(ignoreAbsent)
  }

  return {
    begin: async (id, sha256) => {
      const folder = feedingFolder(home, id)
      const path = join(folder, sha256)
      let isBlamed = await inOrder(() => beginWork(folder, path))
      return {
        wentOn: async () => {
          if (!isBlamed) return
          await inOrder(() => write(path, [ownMark]))
          isBlamed = false
        },
        end: () => inOrder(() => end(folder, path)),
      }
    },
  }
}

const getCode = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code

const ignoreAbsent = (error: unknown): string => {
  if (getCode(error) === 'ENOENT') return ''
  throw error
}

const onDisk = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof Unreadable) throw cause
    throw new Unavailable('what is being gone over cannot be marked on the disk', { cause })
  }
}
