/**
 * Names of local models: an id of the catalogue, `hf:<owner>/<repository>/<file>`, a name of Ollama, or the
 * path of a GGUF file.
 */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CatalogueModel } from './catalogue.ts'

/** `row`: the row of the catalogue with this file, if there is one. */
export type ModelSource =
  | {
      readonly kind: 'hub'
      readonly repo: string
      readonly file: string
      readonly revision: string
      readonly row: CatalogueModel | null
    }
  | { readonly kind: 'ollama'; readonly model: string; readonly tag: string }
  | { readonly kind: 'path'; readonly path: string }

const segment = '[A-Za-z0-9_][A-Za-z0-9._-]{0,127}'
const hubName = new RegExp(`^hf:(${segment}/${segment})/((?:${segment}/){0,4}${segment}\\.gguf)$`)
const ollamaName = new RegExp(`^(?:(${segment})/)?(${segment})(?::(${segment}))?$`)

/** Returns null if the name has none of these forms. A catalogue row is also found by its Ollama name. */
export const parseModelName = (name: string, catalogue: readonly CatalogueModel[]): ModelSource | null => {
  const trimmedName = name.trim()
  const row = catalogue.find(({ id, ollama }) => id === trimmedName || ollama === trimmedName)
  if (row) return toSource(row)
  if (/\.gguf$/i.test(trimmedName) && /^(?:~[/\\]|[/\\]|[A-Za-z]:[/\\])/.test(trimmedName)) {
    const path = trimmedName.startsWith('~') ? join(homedir(), trimmedName.slice(1)) : trimmedName
    return isAbsolute(path) ? { kind: 'path', path } : null
  }
  const [, repo, file] = hubName.exec(trimmedName) ?? []
  if (repo !== undefined && file !== undefined) {
    const catalogueModel = catalogue.find((model) => model.repo === repo && model.file === file)
    return catalogueModel
      ? toSource(catalogueModel)
      : { kind: 'hub', repo, file, revision: 'main', row: null }
  }
  const [, namespace = 'library', model, tag = 'latest'] = ollamaName.exec(trimmedName) ?? []
  return model === undefined ? null : { kind: 'ollama', model: `${namespace}/${model}`, tag }
}

const toSource = (row: CatalogueModel): ModelSource => ({
  kind: 'hub',
  repo: row.repo,
  file: row.file,
  revision: row.revision,
  row,
})

/** Returns the name that users see, which is also the name in an organ. */
export const toModelName = (source: ModelSource): string => {
  switch (source.kind) {
    case 'hub':
      return source.row?.id ?? `hf:${source.repo}/${source.file}`
    case 'ollama':
      return `${source.model.replace(/^library\//, '')}:${source.tag}`
    case 'path':
      return source.path
  }
}

/** Returns the name under which Ollama pulls the model, or null if it cannot. */
export const toOllamaName = (source: ModelSource): string | null => {
  switch (source.kind) {
    case 'hub':
      return source.row?.ollama ?? `hf.co/${source.repo}:${source.file}`
    case 'ollama':
      return toModelName(source)
    case 'path':
      return null
  }
}
