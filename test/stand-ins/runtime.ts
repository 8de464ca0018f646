/** A stand-in for the runtime of model files. Nothing is installed or started. */
import type { RuntimeInstall } from '../../packages/local-models/local-models.ts'
import type { LoadedModel, RuntimeState } from '../../packages/local-runtime/local-runtime.ts'

export interface RuntimeStandIn extends RuntimeInstall {
  readonly calls: readonly string[]
  phase: RuntimeState['phase']
  models: readonly LoadedModel[]
  gpu: RuntimeState['gpu']
}

export const createRuntime = (first: RuntimeState['phase'] = 'absent'): RuntimeStandIn => {
  const calls: string[] = []
  const runtime: RuntimeStandIn = {
    calls,
    phase: first,
    models: [],
    gpu: 'none',
    loaded: () => runtime.models,
    createEmbedder: (path, { model }) => ({
      name: `local/${model}`,
      embed: async (texts) => ({ vectors: texts.map(({ length }) => [length, 1]), tokens: texts.length }),
      close: async () => void calls.push(`close the embedder of ${path}`),
    }),
    state: () => ({
      phase: runtime.phase,
      version: '3.21.1',
      bytes: 60_000_000,
      reason: runtime.phase === 'unsupported' ? 'No build exists for this machine.' : null,
      gpu: runtime.gpu,
      gpus: [
        { gpu: 'cuda', bytes: 500_000_000 },
        { gpu: 'vulkan', bytes: 80_000_000 },
      ],
    }),
    install: async (onProgress, _signal, gpu) => {
      calls.push(gpu === undefined ? 'install' : `install ${gpu}`)
      onProgress({ completed: 30_000_000, total: 60_000_000 })
      runtime.phase = 'ready'
      runtime.gpu = gpu ?? runtime.gpu
    },
    forgive: (path) => void calls.push(`forgive ${path}`),
    unload: async (path) => void calls.push(`unload ${path}`),
  }
  return runtime
}
