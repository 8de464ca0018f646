/** The models that Daimon offers to download. `catalogue.json` has one row per model. */

export interface CatalogueModel {
  /** The name that users type, and the name of the model in an organ. */
  readonly id: string
  readonly title: string
  readonly kind: 'mind' | 'embedder'
  /** Repository, commit and file on the hub. */
  readonly repo: string
  readonly revision: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly license: string
  /** The page with the description and the license. */
  readonly source: string
  /** Memory of the machine below which the model is not offered. */
  readonly min_memory_gib: number
  /** Max tokens of the model itself. */
  readonly context: number
  readonly abilities: readonly ('tools' | 'json' | 'embedding')[]
  /** Its name in Ollama's registry. */
  readonly ollama: string
}

/** Loads the catalogue that ships with Daimon. A test validates it, because each start loads it. */
export const loadCatalogue = async (): Promise<readonly CatalogueModel[]> => {
  const { default: catalogue } = await import('./catalogue.json', { with: { type: 'json' } })
  return catalogue.models as readonly CatalogueModel[]
}

/** A machine sold with 8 GiB reports less, because firmware and graphics take a part. */
const reportedShare = 0.9

/** `memory`: of the machine, in bytes. */
export const fitsMemory = (model: CatalogueModel, memory: number): boolean =>
  memory >= model.min_memory_gib * 1024 ** 3 * reportedShare

/** Returns the largest Mind that fits the memory of the machine, or the smallest one if none does. */
export const suggestMind = (
  catalogue: readonly CatalogueModel[],
  memory: number,
): CatalogueModel | undefined => {
  const minds = catalogue
    .filter(({ kind }) => kind === 'mind')
    .toSorted((a, b) => b.min_memory_gib - a.min_memory_gib)
  return minds.find((model) => fitsMemory(model, memory)) ?? minds.at(-1)
}
