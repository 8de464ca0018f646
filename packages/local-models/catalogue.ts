/** The models that Daimon offers to download. `catalogue.json` has one row per model. */
import * as z from 'zod'

const CatalogueModel = z
  .strictObject({
    /** The name that users type, and the name of the model in an organ. */
    id: z.string(),
    title: z.string(),
    kind: z.enum(['mind', 'embedder']),
    /** Repository, commit and file on the hub. */
    repo: z.string(),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
    file: z.string(),
    bytes: z.int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    license: z.string(),
    /** The page with the description and the license. */
    source: z.url(),
    /** Memory of the machine below which the model is not offered. */
    min_memory_gib: z.number().positive(),
    /** Max tokens of the model itself. */
    context: z.int().positive(),
    abilities: z.array(z.enum(['tools', 'json', 'embedding'])).readonly(),
    /** Its name in Ollama's registry. */
    ollama: z.string(),
  })
  .readonly()
export type CatalogueModel = z.output<typeof CatalogueModel>

const Catalogue = z.strictObject({ dated: z.iso.date(), models: z.array(CatalogueModel).readonly() })

let shippedModels: Promise<readonly CatalogueModel[]> | undefined

/** Loads the catalogue that ships with Daimon. */
export const loadCatalogue = (): Promise<readonly CatalogueModel[]> => {
  shippedModels ??= import('./catalogue.json', { with: { type: 'json' } }).then(
    (json) => Catalogue.parse(json.default).models,
  )
  return shippedModels
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
