/**
 * The store of a persona in a cluster: a local LevelDB that accepts records and parts only after the servers
 * have stored them.
 */
import { InDoubt } from '../../../journal/log/errors.ts'
import { partIn, recordsIn, seqInKey } from '../../../journal/log/keys.ts'
import type { Op, Store } from '../../../journal/log/store.ts'
import { cacheMark } from './cache-mark.ts'
import type { PersonaLog } from './jetstream-log.ts'

export const cachedStore = (cache: Store, log: PersonaLog): Store => ({
  ...cache,
  lost: log.lostSignal,
  batch: async (ops, options) => {
    const records = recordsIn(ops)
    const hasParts = await moveParts(log, ops)
    const last = records.at(-1)
    if (!last) return hasParts ? writeCache(cache, ops) : cache.batch(ops, options)
    await log.append(records)
    const mark = { token: log.history.token, readUpTo: log.last(), seq: seqInKey(last[0]) }
    await writeCache(cache, [...ops, cacheMark(mark)])
  },
})

/** Writes without sync: records that a crash loses are read from the servers again. */
const writeCache = async (cache: Store, ops: readonly Op[]): Promise<void> => {
  try {
    await cache.batch(ops, { sync: false })
  } catch (cause) {
    throw new InDoubt('the servers have stored it, but the cache has not', { cause })
  }
}

/** Stores the parts on the servers before a record refers to them. Returns whether there were any. */
const moveParts = async (log: PersonaLog, ops: readonly Op[]): Promise<boolean> => {
  let hasParts = false
  for (const op of ops) {
    const sha = partIn(op.key)
    if (sha === undefined) continue
    hasParts = true
    await (op.type === 'put' ? log.putPart(sha, op.value) : log.dropPart(sha))
  }
  return hasParts
}
