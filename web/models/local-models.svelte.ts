/** The models of this machine and their downloads, shared by all screens. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'
import { subscribe } from '../shared/system-line.ts'

type LocalModels = Shape<'LocalModels'>
export type ModelDownload = Shape<'ModelDownload'>
export type CatalogueModel = Shape<'CatalogueModel'>
export type InstalledModel = Shape<'InstalledModel'>

export interface TestedModel {
  readonly name: string
  readonly test: Shape<'ModelTest'>
}

type TestResult = NonNullable<Shape<'OrganHealth'>['test']>['result']

export const toTestResult = ({ talks, uses_tools: usesTools }: Shape<'ModelTest'>): TestResult =>
  !talks ? 'fails' : usesTools ? 'works' : 'no_tools'

let view = $state.raw<LocalModels | null>(null)
let downloads = $state.raw<readonly ModelDownload[]>([])
let asked = 0

export const localModels = {
  /** Null until the first answer. */
  get view(): LocalModels | null {
    return view
  },
  get downloads(): readonly ModelDownload[] {
    return downloads
  },
  /** True if a downloaded model can run here. */
  get canRun(): boolean {
    if (!view) return false
    return view.ollama.answers || (view.runtime !== null && view.runtime.phase !== 'unsupported')
  },
  /** The Mind for this machine, if there is no model yet. */
  get offer(): CatalogueModel | null {
    if (!view || !localModels.canRun || view.servers.length > 0) return null
    if (view.installed.some(({ kind }) => kind !== 'embedder')) return null
    return view.catalogue.find(({ suggested }) => suggested) ?? null
  },
  /** The embedding model, if search matches only words and this machine can run one. */
  get searchOffer(): CatalogueModel | null {
    const canRun = view?.runtime != null && view.runtime.phase !== 'unsupported'
    if (!view || !canRun || view.search !== null) return null
    return (
      view.catalogue.find(({ kind, fits, installed }) => kind === 'embedder' && fits && !installed) ?? null
    )
  },
  /** A Mind of the catalogue that is downloaded already. */
  get downloadedMind(): CatalogueModel | null {
    return view?.catalogue.find(({ kind, installed }) => kind === 'mind' && installed) ?? null
  },
}

/** Loads the models. Drops answers to older requests. */
export const loadLocalModels = async (): Promise<void> => {
  asked += 1
  const request = asked
  const answer = await answerTo(client.GET('/api/local-models'))
  if (request !== asked || !answer.ok) return
  view = answer.value
  downloads = answer.value.downloads
}

/** Keeps downloads current until the returned function is called, and loads the list after each one. */
export const followDownloads = (): (() => void) => {
  void loadLocalModels()
  return subscribe((frame) => {
    if (frame.type === 'reset') return void loadLocalModels()
    if (frame.type !== 'progress' || frame.download === null) return
    const { download } = frame
    downloads = [...downloads.filter(({ name }) => name !== download.name), download]
    if (isFinished(download)) void loadLocalModels()
  })
}

export const isFinished = ({ state }: ModelDownload): boolean => state !== 'waiting' && state !== 'running'

/** `personaId`: the persona that gets the model as its Mind. */
export const getModel = async (name: string, personaId: string | null): Promise<Answer<ModelDownload>> => {
  const body = { name, persona_id: personaId }
  const answer = await answerTo(client.POST('/api/local-models', { body }))
  if (answer.ok) downloads = [...downloads.filter((other) => other.name !== answer.value.name), answer.value]
  return answer
}

/** Downloads a Mind for a persona, and the embedding model on request. */
export const getMind = async (
  name: string,
  personaId: string,
  withSearch: boolean,
): Promise<Answer<ModelDownload>> => {
  const embedder = localModels.searchOffer
  const answer = await getModel(name, personaId)
  if (!answer.ok || !withSearch || !embedder) return answer
  const second = await getModel(embedder.name, null)
  return second.ok ? answer : second
}

/** Installs the runtime with another graphics interface. */
export const installGpu = (gpu: string): Promise<Answer<ModelDownload>> => {
  const known = (['cuda', 'vulkan'] as const).find((each) => each === gpu) ?? 'none'
  return answerTo(client.PUT('/api/local-models/runtime', { body: { gpu: known } }))
}

export const cancelDownload = (name: string): Promise<Answer<unknown>> =>
  answerTo(client.POST('/api/local-models/cancel', { body: { name } }))

/** Takes up to three minutes if the model must be loaded first. */
export const testModel = (model: string): Promise<Answer<Shape<'ModelTest'>>> =>
  answerTo(client.POST('/api/models/test', { body: { model } }))

/** Tests the Mind of a persona, and records the result in its history. */
export const testMind = (id: string): Promise<Answer<Shape<'ModelTest'>>> =>
  answerTo(client.POST('/api/persona/{persona_id}/test', { params: { path: { persona_id: id } } }))

export const removeModel = async (name: string): Promise<Answer<unknown>> => {
  const answer = await answerTo(client.DELETE('/api/local-models', { params: { query: { name } } }))
  await loadLocalModels()
  return answer
}
