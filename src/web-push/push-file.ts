/**
 * Stores the subscribed browsers and the VAPID key pair in one small file of the home. It is rewritten as a
 * whole.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Decoder, Encoder } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import * as z from 'zod'
import { writeWhole } from '../../journal/leveldb/durable-files.ts'
import { addChecksum, checkChecksum } from '../../journal/log/checksummed-value.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { Subscription } from './subscription.ts'

const encoder = new Encoder()
const decoder = new Decoder()
const name = Buffer.from('push')

const PushState = z.object({
  format: z.literal(1),
  /** VAPID keys in base64url. */
  publicKey: z.string(),
  privateKey: z.string(),
  /** Oldest first. */
  subscriptions: z.array(Subscription).readonly(),
})
export type PushState = z.infer<typeof PushState>

export interface PushFile {
  /** Returns null if the file is missing or damaged. */
  now(): PushState | null
  /** Applies a change. Changes run one at a time. On disk when it resolves. Rejects with Unavailable. */
  change(make: (stateBefore: PushState | null) => PushState | Promise<PushState>): Promise<PushState>
}

/** Opens the file. Rejects with Unavailable if it cannot be read. */
export const openPushFile = async (home: string): Promise<PushFile> => {
  const path = join(home, 'push')
  // A temporary file of a crash may still contain a browser that has unsubscribed.
  await rm(`${path}.tmp`, { force: true })
  let state = parse(await contents(path))
  const oneAtATime = pLimit(1)
  return {
    now: () => state,
    change: (make) =>
      oneAtATime(async () => {
        const next = await make(state)
        if (next === state) return next
        await writeWhole(path, addChecksum(name, encoder.encode(next))).catch((cause: unknown) => {
          throw new Unavailable('the subscribed browsers cannot be written', { cause })
        })
        state = next
        return next
      }),
  }
}

const contents = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw new Unavailable('the subscribed browsers cannot be read', { cause })
  }
}

const parse = (bytes: Buffer | undefined): PushState | null => {
  const value = checkChecksum(name, bytes)
  const file = value && PushState.safeParse(decoder.decode(value))
  return file?.success ? file.data : null
}
