/** Local models over Ollama's own protocol: list, pull, register for a persona, probe, chat. */
import type { Slot } from '../../../facts/fact-values.ts'
import type { Network } from '../../kit/network/network.ts'
import type { Mind } from '../mind.ts'
import {
  forAPerson,
  isSpokenTo,
  ModelError,
  type ModelTraits,
  type Progress,
  withoutTools,
} from '../models.ts'
import type { Takes } from '../sense-models.ts'
import { readVoice } from '../voice-name.ts'
import { createDescriptions } from './descriptions.ts'
import { type LocalSettings, toContextSize } from './local-settings.ts'
import { hasModel, listModels, listOffered, unlessAbsent } from './model-list.ts'
import { createOllamaMind } from './ollama-mind.ts'
import { prepareBeside, prepareChat } from './prepare.ts'
import { isStatus, openRuntime, type Runtime } from './runtime.ts'

export interface OllamaDeps {
  readonly network: Network
  readonly now: () => number
  /** Timeout of a probe in ms. */
  readonly probeTimeout?: number
  readonly settings: LocalSettings
}

export interface At {
  readonly url: string
  readonly apiKey: string | null
}

/** Like `Models`, for one kind of address. */
export interface Ollama {
  names(target: At, signal?: AbortSignal): Promise<readonly string[]>
  described(target: At): Promise<readonly ModelTraits[]>
  prepare(
    slot: Slot,
    target: At,
    model: string,
    progress: (p: Progress) => void,
    signal?: AbortSignal,
  ): Promise<void>
  wrap(target: At, model: string, wrapper: string): Promise<void>
  unwrap(target: At, wrapper: string): Promise<void>
  probe(target: At, model: string, wrapper: string | null, signal?: AbortSignal): Promise<void>
  mind(target: At, model: string, wrapper: string | null): Mind
  getAcceptedFiles(target: At, model: string, wrapper: string | null, signal: AbortSignal): Promise<Takes>
  /** Returns the context size that requests use. */
  getContextWindow(
    target: At,
    model: string,
    wrapper: string | null,
    signal: AbortSignal,
  ): Promise<number | null>
  /** Returns the number of parameters, or null if unknown. Rejects only with the signal's reason. */
  getParameters(
    target: At,
    model: string,
    wrapper: string | null,
    signal: AbortSignal,
  ): Promise<number | null>
  /** `name`: the name of the model on the runtime. */
  refusals(target: Omit<At, 'apiKey'>, name: string): readonly string[]
}

export const createOllama = ({ network, now, probeTimeout = 10_000, settings }: OllamaDeps): Ollama => {
  const fetch = network.local
  const descriptions = createDescriptions({ fetch, timeout: probeTimeout, now })
  const open = ({ url, apiKey }: At) => openRuntime({ url, key: apiKey, now })

  const names = (target: At, signal?: AbortSignal) =>
    forAPerson(async () => (await listOffered(open(target), network, signal)).filter(isNoWrapper))

  const describeModels = (target: At) =>
    forAPerson(async () => {
      const runtime = open(target)
      const all = (await listModels(runtime, network)).filter(({ name }) => isNoWrapper(name))
      const { signal } = new AbortController()
      return Promise.all(
        all.map(async ({ name, bytes }) => {
          const { tools } = await descriptions.describe(runtime, name, signal)
          return { name, bytes, tools }
        }),
      )
    })

  const prepare = (
    slot: Slot,
    target: At,
    model: string,
    progress: (p: Progress) => void,
    signal?: AbortSignal,
  ) =>
    forAPerson(async () => {
      const runtime = open(target)
      descriptions.forget(runtime, model)
      if (isSpokenTo(slot))
        await prepareChat({ runtime, network, descriptions, settings, model, progress, signal })
      else
        await prepareBeside({
          runtime,
          network,
          descriptions,
          settings,
          model: slot === 'mouth' ? readVoice(model).model : model,
          progress,
          signal,
        })
    })

  const wrap = (target: At, model: string, wrapper: string) =>
    forAPerson(async () => {
      const runtime = open(target)
      descriptions.forget(runtime, wrapper)
      await runtime.all({
        path: '/api/create',
        body: { model: wrapper, from: model, stream: false },
        fetch,
        model,
      })
    })

  /** With a short timeout, for requests that load no model. */
  const withTimeout = async <T>(
    runtime: Runtime,
    signal: AbortSignal | undefined,
    work: (combinedSignal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(probeTimeout)
    try {
      return await work(signal ? AbortSignal.any([signal, limit]) : limit)
    } catch (error) {
      if (!limit.aborted || signal?.aborted) throw error
      throw new ModelError(
        `Ollama at ${runtime.at} did not answer within ${probeTimeout / 1000} s. Is it busy or stuck? Start it again with \`ollama serve\`.`,
        false,
        { fault: 'unreachable' },
      )
    }
  }

  const unwrap = (target: At, wrapper: string) =>
    forAPerson(async () => {
      const runtime = open(target)
      descriptions.forget(runtime, wrapper)
      try {
        const request = { method: 'DELETE', path: '/api/delete', body: { model: wrapper }, fetch } as const
        await withTimeout(runtime, undefined, (signal) => runtime.all({ ...request, signal }))
      } catch (error) {
        if (!isStatus(error, 404)) throw error
      }
    })

  const probe = (target: At, model: string, wrapper: string | null, signal?: AbortSignal) =>
    forAPerson(async () => {
      const runtime = open(target)
      const description = await withTimeout(runtime, signal, async (combinedSignal) => {
        await unlessAbsent(
          runtime.all({ method: 'GET', path: '/api/version', fetch, signal: combinedSignal }),
        )
        return hasModel(runtime, network, wrapper ?? model, combinedSignal)
      })
      if (description !== false) return
      const missingModel = wrapper
        ? `"${wrapper}", the name under which "${model}" was registered for it`
        : `the model "${model}"`
      throw new ModelError(
        `${runtime.at} does not know ${missingModel}. Fetch it with \`ollama pull ${model}\` and give the persona this Mind again under settings.`,
        false,
        { fault: 'model_unknown' },
      )
    })

  const mind = (target: At, model: string, wrapper: string | null): Mind => ({
    // Opened on the first use, so that an invalid address fails in the turn.
    async *think(prompt, signal, maxCalls) {
      yield* createOllamaMind({
        runtime: open(target),
        fetch,
        descriptions,
        model,
        name: wrapper ?? model,
        settings,
      }).think(prompt, signal, maxCalls)
    },
  })

  const getAcceptedFiles = async (
    target: At,
    model: string,
    wrapper: string | null,
    signal: AbortSignal,
  ): Promise<Takes> => {
    try {
      const { images } = await descriptions.describe(open(target), wrapper ?? model, signal)
      return { images: images === true, documents: false }
    } catch {
      signal.throwIfAborted()
      return { images: false, documents: false }
    }
  }

  const getContextWindow = async (
    target: At,
    model: string,
    wrapper: string | null,
    signal: AbortSignal,
  ): Promise<number | null> => {
    try {
      const { context } = await descriptions.describe(open(target), wrapper ?? model, signal)
      return toContextSize(settings, context)
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  const getParameters = async (
    target: At,
    model: string,
    wrapper: string | null,
    signal: AbortSignal,
  ): Promise<number | null> => {
    try {
      return (await descriptions.describe(open(target), wrapper ?? model, signal)).parameters
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  const refusals = ({ url }: Omit<At, 'apiKey'>, name: string): readonly string[] => {
    try {
      return descriptions.refusesTools(open({ url, apiKey: null }), name) ? [withoutTools] : []
    } catch {
      return []
    }
  }

  return {
    names,
    described: describeModels,
    prepare,
    wrap,
    unwrap,
    probe,
    mind,
    getAcceptedFiles,
    getContextWindow,
    getParameters,
    refusals,
  }
}

const isNoWrapper = (name: string) => !/^daimon-[0-9a-f-]{36}(:latest)?$/.test(name)
