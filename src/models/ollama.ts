/** Local models over Ollama's own protocol: looked up, pulled, registered for a persona, asked at the door, spoken to. */
import { type Mind, MindError } from './mind.ts'
import { ModelError, type Progress } from './models.ts'
import type { Network } from './network.ts'
import { bare, createDescriptions } from './ollama-descriptions.ts'
import { createOllamaMind } from './ollama-mind.ts'
import { isStatus, type Line, openRuntime, type Runtime, RuntimeError } from './ollama-runtime.ts'

export interface OllamaDeps {
  readonly network: Network
  readonly now: () => number
  /** How long the door may take, in milliseconds. */
  readonly door?: number
}

export interface At {
  readonly url: string
  readonly apiKey: string | null
}

/** As `Models`, for one kind of address. */
export interface Ollama {
  names(at: At, signal?: AbortSignal): Promise<readonly string[]>
  prepare(at: At, model: string, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  wrap(at: At, model: string, wrapper: string): Promise<void>
  unwrap(at: At, wrapper: string): Promise<void>
  knock(at: At, model: string, wrapper: string | null, signal?: AbortSignal): Promise<void>
  mind(at: At, model: string, wrapper: string | null): Mind
}

export const createOllama = ({ network, now, door = 10_000 }: OllamaDeps): Ollama => {
  const fetch = network.local
  const descriptions = createDescriptions({ fetch, patience: door })
  const open = ({ url, apiKey }: At) => openRuntime({ url, key: apiKey, now })

  const names = (at: At, signal?: AbortSignal) =>
    forAPerson(async () => (await offered(open(at), network, signal)).filter((name) => !/^daimon-[0-9a-f-]{36}(:latest)?$/.test(name)))

  const prepare = (at: At, model: string, progress: (p: Progress) => void, signal?: AbortSignal) =>
    forAPerson(async () => {
      const runtime = open(at)
      const report = (status: string, completed: number | null = null, total: number | null = null) =>
        progress({ model, status, completed, total })
      descriptions.forget(runtime, model)

      const there = await knows(runtime, network, model, signal)
      const trouble = there === false ? await pull(runtime, network, model, report, signal) : undefined
      report('waking the model')
      try {
        await oneWord(runtime, network, model, signal)
      } catch (error) {
        // What nobody could tell before, the chat has told now.
        if (there !== 'unknown' || !isStatus(error, 404)) throw trouble ?? error
        if (await pull(runtime, network, model, report, signal)) throw error
        await oneWord(runtime, network, model, signal)
      }
    })

  const wrap = (at: At, model: string, wrapper: string) =>
    forAPerson(async () => {
      const runtime = open(at)
      descriptions.forget(runtime, wrapper)
      await runtime.all({ path: '/api/create', body: { model: wrapper, from: model, stream: false }, fetch, model })
    })

  const unwrap = (at: At, wrapper: string) =>
    forAPerson(async () => {
      const runtime = open(at)
      descriptions.forget(runtime, wrapper)
      try {
        await runtime.all({ method: 'DELETE', path: '/api/delete', body: { model: wrapper }, fetch })
      } catch (error) {
        if (!isStatus(error, 404)) throw error
      }
    })

  const knock = (at: At, model: string, wrapper: string | null, signal?: AbortSignal) =>
    forAPerson(async () => {
      const runtime = open(at)
      const limit = AbortSignal.timeout(door)
      const both = signal ? AbortSignal.any([signal, limit]) : limit
      try {
        await unlessAbsent(runtime.all({ method: 'GET', path: '/api/version', fetch, signal: both }))
        if ((await knows(runtime, network, wrapper ?? model, both)) !== false) return
      } catch (error) {
        if (!limit.aborted || signal?.aborted) throw error
        throw new ModelError(
          `Ollama at ${runtime.at} did not answer within ${door / 1000} s. Is it busy or stuck? Start it again with \`ollama serve\`.`,
        )
      }
      const lost = wrapper ? `"${wrapper}", the name under which "${model}" was registered for her` : `the model "${model}"`
      throw new ModelError(
        `${runtime.at} does not know ${lost}. Fetch it with \`ollama pull ${model}\` and give her this Mind again under settings.`,
      )
    })

  const mind = (at: At, model: string, wrapper: string | null): Mind => ({
    // Opened only when she thinks, so that an address that is none is told in her turn.
    async *think(prompt, signal) {
      yield* createOllamaMind({ runtime: open(at), fetch, descriptions, model, name: wrapper ?? model }).think(prompt, signal)
    },
  })

  return { names, prepare, wrap, unwrap, knock, mind }
}

const forAPerson = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MindError ? new ModelError(error.message) : error
  }
}

/** Routes that a small runtime may lack: it lacks them, or has nothing to say there. */
const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isStatus(error, 400, 404, 405, 501)) return undefined
    throw error
  }
}

const offered = async (runtime: Runtime, network: Network, signal?: AbortSignal): Promise<string[]> => {
  const [line] = await runtime.all({ method: 'GET', path: '/api/tags', fetch: network.local, signal })
  const models = Array.isArray(line?.models) ? (line.models as Line[]) : []
  return models.map((model) => model?.name ?? model?.model).filter((name) => typeof name === 'string')
}

const knows = async (runtime: Runtime, network: Network, model: string, signal?: AbortSignal): Promise<boolean | 'unknown'> => {
  const shown = await unlessAbsent(runtime.all({ path: '/api/show', body: { model }, fetch: network.local, signal }))
  if (shown) return true
  const names = await unlessAbsent(offered(runtime, network, signal))
  return names ? names.some((name) => bare(name) === bare(model)) : 'unknown'
}

type Report = (status: string, completed?: number | null, total?: number | null) => void

/** Gives back what went wrong where the runtime answered: a model that cannot be pulled may still be one that speaks. */
const pull = async (
  runtime: Runtime,
  network: Network,
  model: string,
  report: Report,
  signal?: AbortSignal,
): Promise<RuntimeError | undefined> => {
  const layers = new Map<unknown, { completed: number; total: number }>()
  const sum = (of: 'completed' | 'total') => [...layers.values()].reduce((all, layer) => all + layer[of], 0)
  report('pulling')
  try {
    for await (const line of runtime.lines({ path: '/api/pull', body: { model, stream: true }, fetch: network.download, signal })) {
      if (typeof line.total === 'number') layers.set(line.digest, { total: line.total, completed: Number(line.completed ?? 0) })
      report(String(line.status ?? 'pulling'), ...(layers.size > 0 ? [sum('completed'), sum('total')] : []))
    }
    return undefined
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.status === null) throw error
    const sentence = `The model "${model}" could not be pulled. ${error.message} Check its name, or try \`ollama pull ${model}\`.`
    return new RuntimeError('refused', sentence, error.status)
  }
}

const oneWord = async (runtime: Runtime, network: Network, model: string, signal?: AbortSignal): Promise<void> => {
  const messages = [{ role: 'user', content: 'Say one word.' }]
  const body = { model, messages, stream: false, options: { num_predict: 4, num_ctx: 4096 } }
  const lines = await runtime.all({ path: '/api/chat', body, fetch: network.local, signal, model })
  if (!lines.some((line) => line.message || line.done)) {
    throw new RuntimeError(
      'refused',
      `What answers at ${runtime.at} does not speak Ollama's protocol. Check the address, or start Ollama there with \`ollama serve\`.`,
      null,
    )
  }
}
