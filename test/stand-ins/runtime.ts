/** A stand-in for the runtime of model files. Nothing is installed or started. */
import type { RuntimeInstall } from '../../packages/local-models/local-models.ts'
import type { LoadedModel, RuntimeState } from '../../packages/local-runtime/local-runtime.ts'

export interface RuntimeStandIn extends RuntimeInstall {
  readonly calls: readonly string[]
  phase: RuntimeState['phase']
  models: readonly LoadedModel[]
}

export const createRuntime = (first: RuntimeState['phase'] = 'absent'): RuntimeStandIn => {
  const calls: string[] = []
  const runtime: RuntimeStandIn = {
    calls,
    phase: first,
    models: [],
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
    }),
    install: async (onProgress) => {
      calls.push('install')
      onProgress({ completed: 30_000_000, total: 60_000_000 })
      runtime.phase = 'ready'
    },
    forgive: (path) => void calls.push(`forgive ${path}`),
    unload: async (path) => void calls.push(`unload ${path}`),
  }
  return runtime
}
