/** Downloads and removes models on this machine, and gives a new model to the persona that waits for it. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Download } from '../../packages/local-models/download-queue.ts'
import type { Engine, Pending } from '../../packages/local-models/local-models.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { Proof } from '../../packages/models/prove-mind.ts'
import { isEmbedded } from '../../packages/practice-mind/minds.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { recordMindTest } from './mind-test.ts'
import { updatePersona } from './persona.ts'

export interface ModelRequest {
  readonly name: string
  /** Null: Ollama if it answers, otherwise the runtime of the daemon. */
  readonly engine: Engine | null
  /** Gets the model as its Mind if it still has the practice mind after the download. */
  readonly personaId: PersonaId | null
}

/**
 * Starts a download. The request is the user's consent, also to the installation of the runtime. Throws
 * Refused: persona_unknown, or ModelError.
 */
export const getLocalModel = async (
  deps: CommandDeps,
  { name, engine, personaId }: ModelRequest,
): Promise<Download> => {
  if (personaId !== null) requireListed(deps.personas, personaId)
  const { localModels } = deps
  const isEmbedder =
    localModels.catalogue.find(({ id, ollama }) => id === name || ollama === name)?.kind === 'embedder'
  const wantedModel = localModels.want(name, engine ?? (await chooseEngine(deps, isEmbedder)))
  return startDownload(deps, { ...wantedModel, owner: isEmbedder ? null : personaId })
}

/** Continues the downloads that an earlier run of the daemon did not finish. */
export const continueDownloads = (deps: CommandDeps): void => {
  const resumeDownloads = () => {
    for (const pendingModel of deps.localModels.pending) startDownload(deps, pendingModel)
  }
  // Before that, the personas that get the models are not listed.
  void deps.personas.ready.then(resumeDownloads, resumeDownloads)
}

const startDownload = (deps: CommandDeps, wantedModel: Pending): Download => {
  const { owner } = wantedModel
  const download = deps.localModels.get(wantedModel)
  if (owner !== null)
    void switchMind(deps, owner, wantedModel.name).catch((err: unknown) => {
      deps.log.warn({ id: owner, err }, 'failed to switch to a new local model')
    })
  return download
}

/** Search uses an installed embedding model through the runtime, also while Ollama answers. */
const chooseEngine = async (
  { models, localModels }: Pick<CommandDeps, 'models' | 'localModels'>,
  isEmbedder: boolean,
): Promise<Engine> => {
  const phase = localModels.runtime()?.phase ?? 'unsupported'
  if (isEmbedder && phase !== 'unsupported') return 'runtime'
  return (await listOllama({ models })) === null ? 'runtime' : 'ollama'
}

/** Returns the names of Ollama's models, or null if it does not answer. */
export const listOllama = async ({
  models,
}: Pick<CommandDeps, 'models'>): Promise<readonly string[] | null> => {
  try {
    return await models.names({ provider: null, url: null, apiKey: null })
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}

/**
 * Records the test of a new model, replaces the practice mind by it unless it failed, and tells the user in
 * one sentence.
 */
const switchMind = async (deps: CommandDeps, id: PersonaId, model: string): Promise<void> => {
  const { localModels, personas } = deps
  const { state, proof } = await localModels.whenFinished(model)
  const self = personas.getRow(id)?.self
  if (!proof || !self || !hasPracticeMind(self)) return
  await recordMindTest(deps, id, { model, provider: null, url: null }, proof)
  const words =
    state === 'done' ? await replaceMind(deps, self, model, proof) : formatFailedTest(self, model, proof)
  await personas.execute(id, { type: 'GiveNotice', words }, 'person')
}

const formatFailedTest = ({ name }: Self, model: string, { reason }: Proof): string =>
  `${model} is downloaded, but it does not work here, so ${name} keeps the practice mind. ${reason ?? ''}`.trim()

/** Returns the sentence for the user. */
const replaceMind = async (
  deps: CommandDeps,
  { id, name }: Self,
  model: string,
  { usesTools }: Proof,
): Promise<string> => {
  const { signal } = new AbortController()
  try {
    await updatePersona(deps, id, { organs: { thinking: { model } }, clear: [] }, signal)
    return usesTools
      ? `${name} now thinks with ${model}, which runs on this machine and can use tools.`
      : `${name} now thinks with ${model}, which runs on this machine but cannot use tools, so ${name} remembers at night only.`
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof Refused)) throw error
    const reason = error instanceof ModelError ? ` ${error.message}` : ''
    return `${model} is downloaded, but ${name} could not switch to it.${reason}`
  }
}

const hasPracticeMind = ({ organs }: Pick<Self, 'organs'>) =>
  organs.thinking?.provider === null && isEmbedded(organs.thinking.model)

/** Throws Refused: download_unknown. */
export const cancelDownload = ({ localModels }: Pick<CommandDeps, 'localModels'>, name: string): void => {
  if (!localModels.cancel(name)) throw new Refused({ code: 'download_unknown' })
}

/** Throws Refused: model_in_use, or ModelError. */
export const removeLocalModel = async (
  deps: Pick<CommandDeps, 'localModels' | 'personas'>,
  name: string,
): Promise<void> => {
  const [user] = findUsers(deps, name)
  if (user) throw new Refused({ code: 'model_in_use', persona: user.name })
  await deps.localModels.remove(name)
}

/** Returns the personas with an organ that uses a model file. */
export const findUsers = (
  { localModels, personas }: Pick<CommandDeps, 'localModels' | 'personas'>,
  name: string,
): readonly Pick<Self, 'id' | 'name'>[] => {
  const path = localModels.resolve(name)
  return findSelves({ personas }, (model) => path !== null && localModels.resolve(model) === path)
}

/** Returns the personas with an organ that uses a model of Ollama at the usual address. */
export const findOllamaUsers = (
  deps: Pick<CommandDeps, 'personas'>,
  name: string,
): readonly Pick<Self, 'id' | 'name'>[] => {
  const withoutLatest = (model: string) => model.replace(/:latest$/, '')
  return findSelves(deps, (model) => withoutLatest(model) === withoutLatest(name))
}

const findSelves = (
  { personas }: Pick<CommandDeps, 'personas'>,
  uses: (model: string) => boolean,
): readonly Pick<Self, 'id' | 'name'>[] =>
  personas
    .all()
    .map(({ self }) => self)
    .filter(({ organs }) =>
      Object.values(organs).some(
        ({ provider, url, model }) => provider === null && url === null && !isEmbedded(model) && uses(model),
      ),
    )
    .map(({ id, name: personaName }) => ({ id, name: personaName }))
