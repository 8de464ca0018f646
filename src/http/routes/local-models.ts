/** Routes for models on this machine: what can be downloaded, what is installed, downloads. */
import { statfs } from 'node:fs/promises'
import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { fitsMemory, suggestMind } from '../../../packages/local-models/catalogue.ts'
import type { Download } from '../../../packages/local-models/download-queue.ts'
import type { LocalModels } from '../../../packages/local-models/local-models.ts'
import { gpus } from '../../../packages/local-runtime/installed-runtime.ts'
import {
  cancelDownload,
  findOllamaUsers,
  findUsers,
  getLocalModel,
  listOllama,
  removeLocalModel,
} from '../../commands/local-models.ts'
import { type RouteDeps, route } from '../route.ts'
import { ModelTest, toTestView } from './models.ts'

const bytes = z.number().describe('In bytes.')

const Gpu = z.enum(gpus)

const DownloadView = z
  .object({
    name: z.string().describe('The name for an organ.'),
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    status: z.string().describe('The current step.'),
    completed: bytes.nullable(),
    total: bytes.nullable(),
    bytes_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    reason: z.string().nullable().describe('Why it failed.'),
    test: ModelTest.nullable().describe('The result of its test, if a persona waits for it.'),
  })
  .meta({ id: 'ModelDownload' })

const CatalogueRow = z
  .object({
    name: z.string().describe('The name for a download and for an organ.'),
    title: z.string(),
    kind: z.enum(['mind', 'embedder']),
    bytes,
    min_memory: bytes,
    context: z.number().describe('Max tokens of the model.'),
    abilities: z.array(z.enum(['tools', 'json', 'embedding'])).readonly(),
    license: z.string(),
    source: z.string().describe('The page of the model.'),
    fits: z.boolean().describe('Whether this machine has enough memory.'),
    suggested: z.boolean().describe('Whether it is the best Mind for this machine.'),
    installed: z.boolean(),
  })
  .meta({ id: 'CatalogueModel' })

const InstalledModel = z
  .object({
    name: z.string().describe('The name for an organ.'),
    title: z.string(),
    kind: z.enum(['mind', 'embedder']).nullable().describe('Null if it is not in the catalogue.'),
    engine: z.enum(['ollama', 'runtime']),
    bytes: bytes.nullable(),
    license: z.string().nullable(),
    used_by: z.array(z.object({ id: z.string(), name: z.string() })).readonly(),
    removable: z.boolean().describe('Whether the daemon can remove it. Ollama removes its own models.'),
  })
  .meta({ id: 'InstalledModel' })

const LoadedModelView = z
  .object({
    name: z.string(),
    phase: z
      .enum(['starting', 'ready', 'broken'])
      .describe('Broken: it crashed twice and is not loaded again until its file changes or it is tested.'),
    memory: bytes.nullable().describe('Memory of its process, in bytes. Null while it starts.'),
    context: z.number().nullable().describe('Size of its context in tokens.'),
    gpu: z.enum(['metal', 'cuda', 'vulkan']).nullable().describe('Null: the processor computes.'),
    since: z.string().describe('Start of its process, or its last crash.'),
    idle_until: z.string().nullable().describe('When it is unloaded without a request. Null while it works.'),
    reason: z.string().nullable().describe('Why it is broken.'),
  })
  .meta({ id: 'LoadedModel' })

const LocalModelsView = z
  .object({
    memory: bytes.describe('Memory of this machine.'),
    free_disk: bytes.nullable(),
    runtime: z
      .object({
        phase: z.enum(['absent', 'installing', 'ready', 'failed', 'unsupported']),
        version: z.string(),
        bytes: bytes.nullable(),
        reason: z.string().nullable(),
        gpu: Gpu.describe('The graphics interface that is installed besides the processor.'),
        gpus: z
          .array(z.object({ gpu: Gpu, bytes }))
          .readonly()
          .describe('The graphics interfaces that can be installed here, with their additional size.'),
      })
      .nullable()
      .describe('The runtime for model files. Null if this build has none.'),
    ollama: z.object({ url: z.string(), answers: z.boolean() }),
    servers: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          url: z.string().describe('The address for an organ of the provider openai.'),
          models: z.array(z.string()).readonly(),
        }),
      )
      .readonly()
      .describe('Servers of other programs that answer on their default ports.'),
    catalogue: z.array(CatalogueRow).readonly(),
    installed: z.array(InstalledModel).readonly(),
    search: z
      .string()
      .nullable()
      .describe('The model of the search by meaning: <provider>/<model>. Null: words only.'),
    loaded: z.array(LoadedModelView).readonly().describe('The models in the memory of the runtime.'),
    downloads: z.array(DownloadView).readonly(),
  })
  .meta({ id: 'LocalModels' })

export const listLocalModelsRoute = route({
  method: 'get',
  path: '/api/local-models',
  summary: 'Models on this machine, and models that it can run',
  description: 'Asks Ollama and the default ports of LM Studio, llama.cpp, vLLM and Jan for their models.',
  tag: 'Models',
  reply: LocalModelsView,
  handle: (deps) => async () => {
    const { localModels, memory, config, clock } = deps
    const [servers, ollama, freeDiskBytes] = await Promise.all([
      localModels.servers(),
      listOllamaModels(deps),
      freeDisk(config.home),
    ])
    const suggestedModel = suggestMind(localModels.catalogue, memory)
    const installedModels = [...listInstalled(deps), ...(ollama ?? [])]
    return {
      memory,
      free_disk: freeDiskBytes,
      runtime: localModels.runtime(),
      ollama: { url: config.urls.local, answers: ollama !== null },
      servers,
      catalogue: localModels.catalogue.map((model) => ({
        name: model.id,
        title: model.title,
        kind: model.kind,
        bytes: model.bytes,
        min_memory: model.min_memory_gib * 1024 ** 3,
        context: model.context,
        abilities: model.abilities,
        license: model.license,
        source: model.source,
        fits: fitsMemory(model, memory),
        suggested: model === suggestedModel,
        installed: installedModels.some(({ name }) => name === model.id || name === model.ollama),
      })),
      installed: installedModels,
      search: deps.search.embedder(),
      loaded: localModels.loaded().map((model) => toLoadedView(model, clock.zone)),
      downloads: localModels.downloads().map(toDownloadView),
    }
  },
})

const toLoadedView = (
  {
    name,
    phase,
    memoryBytes,
    contextTokens,
    gpu,
    since,
    idleUntil,
    reason,
  }: ReturnType<LocalModels['loaded']>[number],
  zone: string,
): z.output<typeof LoadedModelView> => ({
  name,
  phase,
  memory: memoryBytes,
  context: contextTokens,
  gpu,
  since: isoIn(zone, since),
  idle_until: idleUntil === null ? null : isoIn(zone, idleUntil),
  reason,
})

const freeDisk = async (home: string): Promise<number | null> => {
  const stats = await statfs(home).catch(() => null)
  return stats && stats.bavail * stats.bsize
}

const listInstalled = (deps: RouteDeps): readonly z.output<typeof InstalledModel>[] =>
  deps.localModels.installed().map(({ name, title, kind, bytes: size, license }) => ({
    name,
    title,
    kind,
    engine: 'runtime',
    bytes: size,
    license,
    used_by: findUsers(deps, name),
    removable: true,
  }))

const listOllamaModels = async (
  deps: RouteDeps,
): Promise<readonly z.output<typeof InstalledModel>[] | null> => {
  const names = await listOllama(deps)
  if (names === null) return null
  const server = { provider: null, url: null, apiKey: null }
  const details = await deps.models.described(server).catch(() => [])
  return names.map((name) => ({
    name,
    title: name,
    kind: deps.localModels.catalogue.find(({ ollama }) => ollama === name)?.kind ?? null,
    engine: 'ollama',
    bytes: details.find((model) => model.name === name)?.bytes ?? null,
    license: null,
    used_by: findOllamaUsers(deps, name),
    removable: false,
  }))
}

const toDownloadView = ({
  bytesPerSecond,
  secondsLeft,
  proof,
  ...download
}: Download): z.output<typeof DownloadView> => ({
  ...download,
  bytes_per_second: bytesPerSecond,
  seconds_left: secondsLeft,
  test: proof && toTestView(proof),
})

const ModelName = z
  .string()
  .min(1)
  .max(1000)
  .describe(
    'A name of the catalogue, hf:<owner>/<repository>/<file>.gguf, or a name of Ollama such as qwen3.5:4b.',
  )

export const getLocalModelRoute = route({
  method: 'post',
  path: '/api/local-models',
  summary: 'Download a model',
  description:
    'Starts a download and returns at once; /ws/system reports the progress. If the runtime is missing, it is installed too. An interrupted download is continued.',
  tag: 'Models',
  body: z
    .object({
      name: ModelName,
      engine: z
        .enum(['ollama', 'runtime'])
        .nullish()
        .describe('Which program pulls and runs the model. Default: Ollama if it answers.'),
      persona_id: z
        .string()
        .nullish()
        .describe('Gets the model as its Mind after the download, if it has the practice mind then.'),
    })
    .meta({ id: 'LocalModelRequest' }),
  reply: DownloadView,
  refuses: ['persona_unknown', 'model_failed'],
  handle:
    (deps) =>
    async ({ body: { name, engine, persona_id: personaId } }) =>
      toDownloadView(
        await getLocalModel(deps, { name, engine: engine ?? null, personaId: personaId ?? null }),
      ),
})

export const cancelLocalModelRoute = route({
  method: 'post',
  path: '/api/local-models/cancel',
  summary: 'Cancel a download',
  description: 'Deletes what was downloaded so far.',
  tag: 'Models',
  body: z.object({ name: ModelName }).meta({ id: 'CancelDownload' }),
  reply: z.object({ cancelled: z.string() }).meta({ id: 'CancelledDownload' }),
  refuses: ['download_unknown'],
  handle:
    (deps) =>
    ({ body: { name } }) => {
      cancelDownload(deps, name)
      return { cancelled: name }
    },
})

export const removeLocalModelRoute = route({
  method: 'delete',
  path: '/api/local-models',
  summary: 'Delete the file of a model',
  description: 'Refused while a persona uses it.',
  tag: 'Models',
  query: z.object({ name: ModelName }),
  reply: z.object({ removed: z.string() }).meta({ id: 'RemovedModel' }),
  refuses: ['model_in_use', 'model_failed'],
  handle:
    (deps) =>
    async ({ query: { name } }) => {
      await removeLocalModel(deps, name)
      return { removed: name }
    },
})

export const installRuntimeRoute = route({
  method: 'put',
  path: '/api/local-models/runtime',
  summary: 'Install the runtime, or change its graphics interface',
  description:
    'Returns at once; /ws/system reports the progress as the model `runtime`. Models in memory are unloaded.',
  tag: 'Models',
  body: z.object({ gpu: Gpu }).meta({ id: 'RuntimeRequest' }),
  reply: DownloadView,
  refuses: ['model_failed'],
  handle:
    ({ localModels }) =>
    ({ body: { gpu } }) =>
      toDownloadView(localModels.installGpu(gpu)),
})
