/** File calls that fail on demand. Tests that use it run alone: it replaces Node's file calls. */
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

export type FileCall = 'open' | 'write' | 'sync' | 'rename'
/** `ENOSPC` of a write: half of it is stored. */
export type FileError = 'EIO' | 'ENOSPC'

export interface FailingFiles {
  /** Returns the error of a call, or null. The path of a rename is its target. */
  fail: (call: FileCall, path: string) => FileError | null
  /** Restores the system's file calls. */
  restore(): void
}

type Write = (bytes: Buffer, start: number, length: number, to: number) => Promise<unknown>

export const createFailingFiles = (): FailingFiles => {
  const real = { open: fs.promises.open, rename: fs.promises.rename }
  const files: FailingFiles = {
    fail: () => null,
    restore: () => {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
    },
  }
  const meet = (call: FileCall, path: string) => {
    const code = files.fail(call, path)
    if (code !== null) throw Object.assign(new Error(`${code}: failed on purpose`), { code, syscall: call })
  }
  const spoil = (handle: FileHandle, path: string): FileHandle => {
    const write = handle.write.bind(handle) as Write
    const sync = handle.sync.bind(handle)
    const writeFile = handle.writeFile.bind(handle)
    const writeHalf: Write = async (bytes, start, length, to) => {
      try {
        meet('write', path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
          await write(bytes, start, Math.floor(length / 2), to)
        throw error
      }
      return write(bytes, start, length, to)
    }
    const syncNow = async () => {
      meet('sync', path)
      await sync()
    }
    const writeWholeFile = async (data: Buffer) => {
      meet('write', path)
      await writeFile(data)
    }
    return Object.assign(handle, {
      write: writeHalf,
      writeFile: writeWholeFile,
      sync: syncNow,
      datasync: syncNow,
    })
  }
  const open = async (path: string, ...rest: [string, number]) => {
    meet('open', String(path))
    return spoil(await real.open(path, ...rest), String(path))
  }
  const rename = async (from: string, to: string) => {
    meet('rename', String(to))
    await real.rename(from, to)
  }
  Object.assign(fs.promises, { open, rename })
  syncBuiltinESMExports()
  return files
}

/** Fails the call number `n` below a folder, counted from 0, and only that one. */
export const failOnce = (
  files: FailingFiles,
  folder: string,
  n: number,
  error: FileError,
): { readonly isMet: () => boolean } => {
  let count = 0
  files.fail = (_, path) => (path.startsWith(folder) && count++ === n ? error : null)
  return { isMet: () => count > n }
}
