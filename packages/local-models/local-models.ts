/** Downloads, lists and removes models on this machine. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { makeFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'
import type { Network } from '../kit/network/network.ts'
import type { Gpu } from '../local-runtime/installed-runtime.ts'
import type { LoadedModel, LocalRuntime, RuntimeState } from '../local-runtime/local-runtime.ts'
import type { Embedder } from '../models/embedder.ts'
import { ModelError } from '../models/models.ts'
import type { Proof } from '../models/prove-mind.ts'
import { type CatalogueModel, loadCatalogue } from './catalogue.ts'
import { type DownloadDeps, downloadFile, partBytes, removePart } from './download.ts'
import { createDownloadQueue, type Download, DownloadCancelled, type WorkReport } from './download-queue.ts'
import { type FoundServer, findServers, type KnownServer } from './known-servers.ts'
import { parseModelName, toModelName, toOllamaName } from './model-names.ts'
import { type InstalledModel, openModelStore } from './model-store.ts'
import { findRemoteFile, type Hubs, usualHubs } from './remote-file.ts'

/** The part of the runtime that a download needs. */
export type RuntimeInstall = Pick<
  LocalRuntime,
  'state' | 'install' | 'loaded' | 'unload' | 'forgive' | 'createEmbedder'
>

/** `ollama`: Ollama pulls and runs the model. `runtime`: Daimon does. */
export type Engine = 'ollama' | 'runtime'

export interface Wanted {
  /** The name for an organ. */
  readonly name: string
  readonly engine: Engine
}

/** A download that the daemon continues after a restart. */
export interface Pending extends Wanted {
  /** The persona that gets the model as its Mind, or null. */
  readonly owner: string | null
}

export interface LocalModels {
  readonly catalogue: readonly CatalogueModel[]
  readonly installed: () => readonly InstalledModel[]
  readonly downloads: () => readonly Download[]
  /** Null if this build has no runtime. */
  readonly runtime: () => RuntimeState | null
  /** The models in the memory of the runtime, and those that crashed too often. Without disk access. */
  readonly loaded: () => readonly (LoadedModel & { readonly name: string })[]
  /** The installed embedding model, run by the runtime. Null if there is none. Without disk access. */
  readonly embedder: () => Embedder | null
  /** Calls the listener after a model was installed or removed, until the returned function is called. */
  readonly onInstalledChange: (listener: () => void) => () => void
  /** Path of a model file for the name in an organ, null if it is not installed. Without disk access. */
  readonly resolve: (name: string) => string | null
  /** Returns how a model is downloaded. Throws ModelError if it cannot be. */
  readonly want: (name: string, engine: Engine) => Wanted
  /** Loads a model again after crashes. Does nothing if it is not installed. */
  readonly forgive: (name: string) => void
  /**
   * Starts a download, and installs the runtime if it is absent: the caller has the user's consent. A model
   * with an owner is tested.
   */
  readonly get: (pendingModel: Pending) => Download
  /** Installs the runtime with this graphics interface. Throws ModelError if it is not offered here. */
  readonly installGpu: (gpu: Gpu) => Download
  /** The downloads that an earlier run of the daemon did not finish. */
  readonly pending: readonly Pending[]
  readonly whenFinished: (name: string) => Promise<Download>
  readonly cancel: (name: string) => boolean
  /** Deletes a model file. Throws ModelError if it is not installed. */
  readonly remove: (name: string) => Promise<void>
  /** Finds servers of other programs on this machine. Takes about a second. */
  readonly servers: () => Promise<readonly FoundServer[]>
  readonly close: () => Promise<void>
}

export interface LocalModelsDeps extends Pick<DownloadDeps, 'freeBytes' | 'wait'> {
  readonly home: string
  readonly network: Network
  readonly hubs?: Partial<Hubs>
  /** Null if this build has no runtime. */
  readonly runtime: RuntimeInstall | null
  /** Pulls a model with Ollama. Throws ModelError, or the signal's reason. */
  readonly pull: (name: string, report: (progress: WorkReport) => void, signal: AbortSignal) => Promise<void>
  /** Tests a downloaded model. Rejects only with the signal's reason. */
  readonly prove: (name: string, signal: AbortSignal) => Promise<Proof>
  readonly onChange: (download: Download) => void
  /** Monotonic, in ms. */
  readonly now: () => number
  /** Wall clock as ISO text. */
  readonly timestamp: () => string
  readonly catalogue?: readonly CatalogueModel[]
  readonly knownServers?: readonly KnownServer[]
}

/** The name of the runtime in the list of downloads. No model can have it. */
const runtimeDownload = 'runtime'

const modelsFolder = (home: string): string => join(home, 'models')

export const openLocalModels = async (deps: LocalModelsDeps): Promise<LocalModels> => {
  const { network, runtime, pull } = deps
  const catalogue = deps.catalogue ?? (await loadCatalogue())
  const store = await openModelStore(modelsFolder(deps.home), catalogue)
  const hubs = { ...usualHubs, ...deps.hubs }
  const engines = new Map<string, Engine>()
  const notes = await openPending(join(modelsFolder(deps.home), 'pending.json'))

  const read = (name: string) => {
    const source = parseModelName(name, catalogue)
    if (source) return source
    throw new ModelError(
      `"${name}" is not the name of a model. Use a name of the catalogue such as ${catalogue[0]?.id}, hf:<owner>/<repository>/<file>.gguf, or a name of Ollama such as qwen3.5:4b.`,
      true,
    )
  }

  const listeners = new Set<() => void>()
  const reload = async () => {
    await store.reload()
    for (const listener of listeners) listener()
  }

  let wantedGpu: Gpu | undefined
  const work = async (name: string, report: (progress: WorkReport) => void, signal: AbortSignal) => {
    if (name === runtimeDownload) {
      await installRuntime(runtime, report, signal, wantedGpu)
      return null
    }
    await download(name, report, signal)
    if (!notes.hasOwner(name)) return null
    report({ status: 'testing the model', completed: null, total: null })
    return deps.prove(name, signal)
  }

  const download = async (name: string, report: (progress: WorkReport) => void, signal: AbortSignal) => {
    if (engines.get(name) === 'ollama') return pull(name, report, signal)
    await installRuntime(runtime, report, signal)
    const source = read(name)
    if (source.kind === 'path' || store.find(name)) return
    report({ status: 'looking for the file', completed: null, total: null })
    const file = await findRemoteFile(source, hubs, network, signal)
    const path = await store.reserve(source)
    try {
      await store.record(source, { sha256: file.sha256, installed_at: deps.timestamp() })
      await downloadFile(deps, file, path, report, signal)
    } catch (error) {
      if (signal.reason instanceof DownloadCancelled) await removePart(path)
      if ((await partBytes(path)) === 0) await store.remove(source)
      throw error
    }
    await reload()
  }
  const onChange = (changedDownload: Download) => {
    if (['done', 'failed', 'cancelled'].includes(changedDownload.state) && !isClosing)
      notes.forget(changedDownload.name)
    deps.onChange(changedDownload)
  }
  let isClosing = false
  const queue = createDownloadQueue({ work, onChange, now: deps.now })

  return {
    catalogue,
    installed: store.list,
    downloads: queue.list,
    runtime: () => runtime?.state() ?? null,
    loaded: () =>
      (runtime?.loaded() ?? []).map((model) => ({
        ...model,
        name: store.list().find(({ path }) => path === model.path)?.name ?? basename(model.path),
      })),
    embedder: () => {
      const model = store.list().find(({ kind }) => kind === 'embedder')
      if (!model || !runtime || !['ready', 'installing'].includes(runtime.state().phase)) return null
      return runtime.createEmbedder(model.path, { model: model.name })
    },
    onInstalledChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    resolve: store.resolve,
    want: (name, engine) => {
      const source = read(name)
      const ollamaName = toOllamaName(source)
      if (source.kind === 'path') throw new ModelError(`${name} is a file on this machine already.`, true)
      if (engine === 'ollama' && ollamaName !== null) return { name: ollamaName, engine }
      checkRuntime(runtime)
      return { name: toModelName(source), engine: 'runtime' }
    },
    forgive: (name) => {
      const path = store.resolve(name)
      if (path !== null) runtime?.forgive(path)
    },
    get: (pendingModel) => {
      engines.set(pendingModel.name, pendingModel.engine)
      notes.remember(pendingModel)
      return queue.add(pendingModel.name)
    },
    installGpu: (gpu) => {
      const { gpus } = checkRuntime(runtime).state()
      if (gpu !== 'none' && !gpus.some((offeredGpu) => offeredGpu.gpu === gpu))
        throw new ModelError(`The runtime has no package for ${gpu} on this kind of machine.`, true)
      wantedGpu = gpu
      return queue.add(runtimeDownload)
    },
    pending: notes.atStart,
    whenFinished: queue.whenFinished,
    cancel: queue.cancel,
    remove: async (name) => {
      const model = store.find(name)
      const source = parseModelName(name, catalogue)
      if (!model || !source || source.kind === 'path')
        throw new ModelError(
          `"${name}" is not installed. \`daimon models\` lists the installed models.`,
          true,
        )
      await runtime?.unload(model.path)
      await store.remove(source)
      await reload()
    },
    servers: () => findServers(network, deps.knownServers),
    close: async () => {
      isClosing = true
      await queue.close()
      await notes.whenWritten()
    },
  }
}

const PendingList = z.array(
  z.object({ name: z.string(), engine: z.enum(['ollama', 'runtime']), owner: z.string().nullable() }),
)

/** Stores the unfinished downloads, so that a restart continues them. An unreadable list counts as empty. */
const openPending = async (path: string) => {
  const atStart: readonly Pending[] = await readFile(path, 'utf8').then(
    (text) => PendingList.safeParse(parseJson(text)).data ?? [],
    () => [],
  )
  let list: readonly Pending[] = atStart
  let lastWrite: Promise<void> = Promise.resolve()
  const save = (next: readonly Pending[]) => {
    if (next.length === list.length) return
    list = next
    // A lost list only means that the user presses the button again.
    lastWrite = lastWrite
      .then(() => makeFolder(dirname(path)))
      .then(() => writeWhole(path, Buffer.from(JSON.stringify(next))))
      .catch(() => undefined)
  }
  return {
    atStart,
    remember: ({ name, engine, owner }: Pending) => {
      const isKnown = list.some((other) => other.name === name && other.owner === owner)
      if (!isKnown) save([...list, { name, engine, owner }])
    },
    hasOwner: (name: string) => list.some((other) => other.name === name && other.owner !== null),
    forget: (name: string) => save(list.filter((other) => other.name !== name)),
    whenWritten: () => lastWrite,
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Throws ModelError if no runtime can run a model file here. */
const checkRuntime = (runtime: RuntimeInstall | null): RuntimeInstall => {
  if (!runtime)
    throw new ModelError(
      'This version of Daimon cannot run model files itself. Install Ollama (https://ollama.com/download) and try again.',
      true,
    )
  const { phase, reason } = runtime.state()
  if (phase === 'unsupported')
    throw new ModelError(reason ?? 'Daimon cannot run model files on this kind of machine.', true)
  return runtime
}

const installRuntime = async (
  runtime: RuntimeInstall | null,
  report: (progress: WorkReport) => void,
  signal: AbortSignal,
  gpu?: Gpu,
): Promise<void> => {
  const checkedRuntime = checkRuntime(runtime)
  const state = checkedRuntime.state()
  if (state.phase === 'ready' && (gpu ?? state.gpu) === state.gpu) return
  const status = 'installing the runtime'
  report({ status, completed: null, total: null })
  await checkedRuntime.install(({ completed, total }) => report({ status, completed, total }), signal, gpu)
}
