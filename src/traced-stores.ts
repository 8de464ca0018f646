/** Traces the batches that a storage engine writes to the disk. Used only if tracing is on. */
import type { Store, Stores } from '../journal/log/store.ts'
import { inSpan } from '../packages/kit/tracing/tracing.ts'

export const traceStores = (stores: Stores): Stores => {
  const innerStores = new WeakMap<Store, Store>()
  const trace = (store: Store): Store => {
    const outer: Store = {
      ...store,
      batch: (ops, options) => {
        if (!options.sync) return store.batch(ops, options)
        const bytes = ops.reduce(
          (sum, op) => sum + op.key.length + (op.type === 'put' ? op.value.length : 0),
          0,
        )
        return inSpan({ name: 'journal sync', attributes: { 'daimon.append.bytes': bytes } }, () =>
          store.batch(ops, options),
        )
      },
    }
    innerStores.set(outer, store)
    return outer
  }
  return {
    ...stores,
    create: async (id, first) => trace(await stores.create(id, first)),
    open: async (id) => trace(await stores.open(id)),
    reopen: async (id, store) => trace(await stores.reopen(id, innerStores.get(store) ?? store)),
  }
}
