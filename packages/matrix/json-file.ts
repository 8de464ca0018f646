/** A value in a JSON file. It is replaced as a whole, so a crash leaves the old or the new value. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { makeFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'
import type { Log } from '../kit/log.ts'

export interface JsonFile<T> {
  readonly value: T
  /**
   * Replaces the value. Resolves when it is on disk. Without a change, nothing is written. If it rejects, the
   * value is again the one on disk, unless another call has replaced it.
   */
  save(value: T): Promise<void>
}

const maxBytes = 64 * 1024 * 1024

/**
 * A missing or damaged file counts as `initial`. Throws the system's error if it cannot be read now.
 * `onTooLarge` is called if the file is above the limit. Unless it throws, the file counts as damaged.
 */
export const openJsonFile = async <T>(
  path: string,
  schema: z.ZodType<T>,
  initial: NoInfer<T>,
  log: Log,
  { onTooLarge }: { readonly onTooLarge?: () => void } = {},
): Promise<JsonFile<T>> => {
  const bytes = await readIfPresent(path)
  if (bytes && bytes.length > maxBytes) onTooLarge?.()
  let value: T = bytes ? parse(bytes, schema, initial, log) : initial
  let storedValue = value
  /** The text on disk, or null if it is in doubt. */
  let text: string | null = JSON.stringify(value)
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    get value() {
      return value
    },
    save: (newValue) => {
      value = newValue
      const write = lastWrite
        .catch(() => {})
        .then(async () => {
          const newText = JSON.stringify(newValue)
          if (newText === text) return
          try {
            await makeFolder(dirname(path))
            await writeWhole(path, Buffer.from(newText))
          } catch (error) {
            text = null
            if (value === newValue) value = storedValue
            throw error
          }
          text = newText
          storedValue = newValue
        })
      lastWrite = write
      return write
    },
  }
}

const readIfPresent = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })

const parse = <T>(bytes: Buffer, schema: z.ZodType<T>, initial: T, log: Log): T => {
  try {
    if (bytes.length > maxBytes) throw new Error('the file is too large')
    return schema.parse(JSON.parse(bytes.toString()))
  } catch (err) {
    log.warn({ err }, 'failed to read the state of a Matrix channel; it begins again')
    return initial
  }
}
