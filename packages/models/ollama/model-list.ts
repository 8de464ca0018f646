/** Lists the models of a local runtime. */
import type { Network } from '../../kit/network/network.ts'
import { withoutLatestTag } from './descriptions.ts'
import { isStatus, type Line, type Runtime } from './runtime.ts'

/** Returns undefined if the route does not exist or is not supported. */
export const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isStatus(error, 400, 404, 405, 501)) return undefined
    throw error
  }
}

/** `bytes`: the size of its file, or null if unknown. */
export interface Offered {
  readonly name: string
  readonly bytes: number | null
}

/** Returns the names and sizes of its models. */
export const listModels = async (
  runtime: Runtime,
  network: Network,
  signal?: AbortSignal,
): Promise<readonly Offered[]> => {
  const [line] = await runtime.all({ method: 'GET', path: '/api/tags', fetch: network.local, signal })
  const models = Array.isArray(line?.models) ? (line.models as Line[]) : []
  return models.flatMap((model) => {
    const name = model?.name ?? model?.model
    const size = model?.size
    return typeof name === 'string' ? [{ name, bytes: typeof size === 'number' ? size : null }] : []
  })
}

/** Returns the names of its models. */
export const listOffered = async (
  runtime: Runtime,
  network: Network,
  signal?: AbortSignal,
): Promise<string[]> => (await listModels(runtime, network, signal)).map(({ name }) => name)

/** Returns `unknown` if the runtime does not report its models. */
export const hasModel = async (
  runtime: Runtime,
  network: Network,
  model: string,
  signal?: AbortSignal,
): Promise<boolean | 'unknown'> => {
  const description = await unlessAbsent(
    runtime.all({ path: '/api/show', body: { model }, fetch: network.local, signal }),
  )
  if (description) return true
  const names = await unlessAbsent(listOffered(runtime, network, signal))
  return names ? names.some((name) => withoutLatestTag(name) === withoutLatestTag(model)) : 'unknown'
}
