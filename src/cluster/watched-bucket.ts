/**
 * A bucket of which everything is known here: read whole once and now and then, and told of each change as
 * it is published. (⏱ A consumer, which the client's own watching uses, stalls for seconds in 3 % of starts.)
 */
import type { Msg } from '@nats-io/transport-node'
import type { Log } from '../../packages/kit/log.ts'
import { type BucketName, isEnd, openBucket, type Servers } from './buckets.ts'

/** A value, and when it was told here last: milliseconds of `performance.now()`. */
export interface Told<T> {
  readonly value: T
  readonly at: number
}

export interface WatchedBucket<T> {
  readonly entries: ReadonlyMap<string, Told<T>>
  /** Resolves once the servers have it. */
  put(key: string, value: T): Promise<void>
  remove(key: string): Promise<void>
  /** Reads it whole again. */
  refresh(): Promise<void>
  close(): void
}

export interface Watching<T> {
  readonly servers: Servers
  readonly name: BucketName
  readonly log: Log
  /** Undefined for what this version cannot read. */
  readonly read: (value: unknown) => T | undefined
  /** After what is known of a key has changed; undefined where it is gone. Must not throw. */
  readonly changed: (key: string, value: T | undefined) => void
}

/** Milliseconds for which a server may lag behind the others: what was told since is not gone. */
const lag = 5000

export const openWatched = async <T>(watching: Watching<T>): Promise<WatchedBucket<T>> => {
  const { servers, log, read, changed } = watching
  const { connection } = servers
  const bucket = await openBucket(servers, watching.name)
  const { prefix } = bucket
  const entries = new Map<string, Told<T>>()
  /** Keys that were told of since the reading that goes on began. */
  const since = new Set<string>()

  const set = (key: string, value: T | undefined) => {
    if (value === undefined && !entries.delete(key)) return
    if (value !== undefined) entries.set(key, { value, at: performance.now() })
    changed(key, value)
  }
  const heard = (error: Error | null, { subject, data, headers }: Msg) => {
    if (error) return log.warn({ err: error }, 'news of the cluster could not be read')
    const key = subject.slice(prefix.length)
    since.add(key)
    set(key, isEnd((name) => headers?.get(name) ?? '') ? undefined : parsed(data, read))
  }
  const subscription = connection.subscribe(`${prefix}>`, { callback: heard })

  const refresh = async () => {
    since.clear()
    const [there, began] = [new Set<string>(), performance.now()]
    for await (const { subject, data, header } of bucket.all()) {
      const key = subject.slice(prefix.length)
      const value = isEnd(header) ? undefined : parsed(data, read)
      if (value !== undefined) there.add(key)
      // What was told meanwhile is newer. What is known already has not become younger by being read again.
      if (!since.has(key) && !isSame(entries.get(key)?.value, value)) set(key, value)
    }
    for (const [key, { at }] of [...entries])
      if (!there.has(key) && !since.has(key) && at < began - lag) set(key, undefined)
  }
  /** What was told while there was no connection was not heard. */
  const reconnected = async () => {
    for await (const { type } of connection.status())
      if (type === 'reconnect') await refresh().catch(() => undefined)
  }

  await connection.flush()
  await refresh()
  void reconnected()
  return {
    entries,
    put: async (key, value) => void (await bucket.put(key, JSON.stringify(value))),
    remove: bucket.end,
    refresh,
    close: () => subscription.unsubscribe(),
  }
}

const parsed = <T>(bytes: Uint8Array, read: (value: unknown) => T | undefined): T | undefined => {
  try {
    return read(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    return undefined
  }
}

const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another)
