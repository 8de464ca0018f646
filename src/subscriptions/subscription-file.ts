/**
 * Stores all subscriptions in one small file of the home, with their signing secrets and positions. It is
 * rewritten as a whole.
 */
import { readFile, rm } from 'node:fs/promises'
import { Decoder, Encoder } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import * as z from 'zod'
import { subscriptionsFile } from '../../home/places.ts'
import { writeWhole } from '../../journal/leveldb/durable-files.ts'
import { addChecksum, checkChecksum } from '../../journal/log/checksummed-value.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { StoredSubscription } from './subscription.ts'

const encoder = new Encoder()
const decoder = new Decoder()
const key = Buffer.from('subscriptions')

const File = z.object({ format: z.literal(1), subscriptions: z.array(StoredSubscription) })

export interface SubscriptionFile {
  /**
   * On disk when it resolves. `collect` is called when it is its turn, and `onStored` before the next turn.
   * Rejects with Unavailable.
   */
  save(collect: () => readonly StoredSubscription[], onStored?: () => void): Promise<void>
}

/**
 * Opens the file. Rejects with Unavailable if it cannot be read or is damaged. A damaged file is left alone,
 * because without its positions facts would be skipped or delivered again.
 */
export const openSubscriptionFile = async (
  home: string,
): Promise<SubscriptionFile & { readonly stored: readonly StoredSubscription[] }> => {
  const path = subscriptionsFile(home)
  // A temporary file of a crash may contain a secret that was replaced.
  await rm(`${path}.tmp`, { force: true })
  const storedSubscriptions = parse(await readBytes(path))
  const oneAtATime = pLimit(1)
  return {
    stored: storedSubscriptions,
    save: (collect, onStored) =>
      oneAtATime(async () => {
        const subscriptions = collect()
        const bytes = addChecksum(key, encoder.encode({ format: 1, subscriptions }))
        // Without a file, the next start does not load the subscriptions.
        const write = subscriptions.length > 0 ? writeWhole(path, bytes) : rm(path, { force: true })
        await write.catch((cause: unknown) => {
          throw new Unavailable('the subscriptions cannot be written', { cause })
        })
        onStored?.()
      }),
  }
}

const readBytes = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw new Unavailable('the subscriptions cannot be read', { cause })
  }
}

const parse = (bytes: Buffer | undefined): readonly StoredSubscription[] => {
  if (!bytes) return []
  const value = checkChecksum(key, bytes)
  const file = value && File.safeParse(decoder.decode(value))
  if (file?.success) return file.data.subscriptions
  throw new Unavailable(
    'the file "subscriptions" in the home is damaged or of a newer version: move it away and define the subscriptions again',
  )
}
