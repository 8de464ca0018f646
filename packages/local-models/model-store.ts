/** The model files in a folder of the home. Each has a record beside it, which is written before the file. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { makeFolder, syncFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'
import type { CatalogueModel } from './catalogue.ts'
import { removePart } from './download.ts'
import { type ModelSource, parseModelName, toModelName } from './model-names.ts'

const ModelRecord = z.object({
  name: z.string(),
  sha256: z.string(),
  license: z.string().nullable(),
  source: z.string(),
  installed_at: z.string(),
})
type ModelRecord = z.output<typeof ModelRecord>

export interface InstalledModel {
  /** The name in an organ. */
  readonly name: string
  readonly title: string
  readonly kind: CatalogueModel['kind'] | null
  readonly path: string
  readonly bytes: number
  /** Null if unknown. */
  readonly license: string | null
  readonly installedAt: string
}

export interface ModelStore {
  list(): readonly InstalledModel[]
  /** Returns the installed model with this name, in any of its forms. */
  find(name: string): InstalledModel | null
  /** Returns the path of a model file: installed, or named by its path. Without disk access. */
  resolve(name: string): string | null
  /** Returns the path that a model will have, and creates the folder. */
  reserve(source: Downloaded): Promise<string>
  /** Writes the record of a model that is about to be complete. */
  record(source: Downloaded, record: Omit<ModelRecord, 'name' | 'source' | 'license'>): Promise<void>
  /** Reads the folder again. */
  reload(): Promise<void>
  /** Removes the file, its record and its partial download. */
  remove(source: Downloaded): Promise<void>
}

type Downloaded = Exclude<ModelSource, { kind: 'path' }>

export const openModelStore = async (
  folder: string,
  catalogue: readonly CatalogueModel[],
): Promise<ModelStore> => {
  let models: readonly InstalledModel[] = []

  const toPath = (source: Downloaded) => join(folder, toFileName(source))
  const readModel = async (file: string): Promise<readonly InstalledModel[]> => {
    try {
      const path = join(folder, file)
      const record = ModelRecord.parse(JSON.parse(await readFile(recordPath(path), 'utf8')))
      const source = parseModelName(record.name, catalogue)
      const row = source?.kind === 'hub' ? source.row : null
      const { size } = await stat(path)
      return [
        {
          name: source ? toModelName(source) : record.name,
          title: row?.title ?? basename(record.name),
          kind: row?.kind ?? null,
          path,
          bytes: size,
          license: record.license,
          installedAt: record.installed_at,
        },
      ]
    } catch {
      return []
    }
  }
  const reload = async () => {
    const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.gguf'))
    models = (await Promise.all(files.map(readModel))).flat()
  }
  const findInstalled = (name: string): InstalledModel | null => {
    const source = parseModelName(name, catalogue)
    if (!source || source.kind === 'path') return models.find(({ path }) => path === name) ?? null
    return models.find(({ path }) => path === toPath(source)) ?? null
  }
  await reload()
  return {
    list: () => models,
    find: findInstalled,
    resolve: (name) => {
      const source = parseModelName(name, catalogue)
      return source?.kind === 'path' ? source.path : (findInstalled(name)?.path ?? null)
    },
    reserve: async (source) => {
      await makeFolder(folder)
      return toPath(source)
    },
    record: async (source, record) => {
      const row = source.kind === 'hub' ? source.row : null
      const modelRecord: ModelRecord = {
        name: toModelName(source),
        license: row?.license ?? null,
        source: row?.source ?? toModelName(source),
        ...record,
      }
      await writeWhole(recordPath(toPath(source)), Buffer.from(JSON.stringify(modelRecord, null, 2)))
    },
    reload,
    remove: async (source) => {
      const path = toPath(source)
      await rm(path, { force: true })
      await rm(recordPath(path), { force: true })
      await removePart(path)
      await syncFolder(folder).catch(() => undefined)
      await reload()
    },
  }
}

const recordPath = (path: string) => path.replace(/\.gguf$/, '.json')

/** The hash keeps names apart that are equal on a disk that ignores case, or after the replacement. */
const toFileName = (source: Downloaded): string => {
  const identity =
    source.kind === 'hub' ? `hf:${source.repo}/${source.file}` : `ollama:${source.model}:${source.tag}`
  const label =
    source.kind === 'hub' ? basename(source.file, '.gguf') : `${basename(source.model)}-${source.tag}`
  const mark = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  return `${label.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 80)}-${mark}.gguf`
}
