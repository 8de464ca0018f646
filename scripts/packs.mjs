/**
 * Joins the chunks of the daemon that a start always loads into one file each, called a pack. Measured: the
 * start opened 280 files, a third of its time.
 */
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Each pack has the name of the chunk of such a module, and contains what that imports statically. */
const rootModules = ['src/main.ts', 'src/cli/serve.ts', 'src/http/server/app.ts']

/**
 * A command that needs less than this share of the first pack does not load it. The chunks that such a
 * command needs stay files of their own.
 */
const minShare = 1 / 3

/** Returns the CommonJS files for the chunks that esbuild has made: each pack, and each other chunk. */
export const buildPacks = async ({ outputFiles, metafile, outdir, options }) => {
  const chunks = readChunks(metafile)
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const packs = planPacks(chunks)
  const packOf = new Map([...packs].flatMap(([pack, members]) => members.map((member) => [member, pack])))
  const plan = { chunks, texts, packs, packOf, outdir }
  const names = [...chunks.keys()].filter((name) => (packOf.get(name) ?? name) === name)
  const { outputFiles: built } = await build({
    ...options,
    entryPoints: names.map((name) => ({ in: `pack:${name}`, out: name.replace(/\.js$/, '') })),
    outdir,
    bundle: true,
    splitting: false,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [packPlugin(plan)],
  })
  return built
}

/** The chunks by file name, with the names of the chunks that they import. */
const readChunks = ({ outputs }) =>
  new Map(
    Object.entries(outputs).map(([path, { imports, exports, entryPoint, bytes }]) => {
      const own = imports.filter(({ external }) => !external)
      const named = (isDynamic) =>
        own.filter(({ kind }) => (kind === 'dynamic-import') === isDynamic).map((i) => basename(i.path))
      return [
        basename(path),
        { entryPoint, exports, bytes, imports: named(false), dynamicImports: named(true) },
      ]
    }),
  )

/**
 * Returns the chunks of each pack, by the name of the file. The chunks that a command loads without a pack
 * are joined with those that the same commands load, so that no command loads more than before.
 */
const planPacks = (chunks) => {
  const roots = rootModules.map((module) => findChunk(chunks, module))
  const users = findUsers(chunks, roots)
  const packs = new Map()
  const packed = new Set()
  for (const root of roots) {
    const fileOf = new Map()
    for (const name of listStatic(chunks, root)) {
      if (packed.has(name)) continue
      packed.add(name)
      const key = users.get(name)?.join() ?? root
      if (!fileOf.has(key)) fileOf.set(key, name)
      const file = fileOf.get(key)
      packs.set(file, [...(packs.get(file) ?? []), name])
    }
  }
  return packs
}

const findChunk = (chunks, module) => {
  for (const [name, { entryPoint }] of chunks) if (entryPoint === module) return name
  throw new Error(`${module} is no chunk of its own any more: name another module in scripts/packs.mjs`)
}

/**
 * Returns the entry chunks that load a chunk without the first pack, for each chunk. A start loads the first
 * root, so that only this root uses its chunks.
 */
const findUsers = (chunks, [main, start, ...others]) => {
  const startChunks = listStatic(chunks, start)
  const needsPack = (name) => {
    const needed = [...listStatic(chunks, name)].filter((other) => startChunks.has(other))
    return sumBytes(chunks, needed) > minShare * sumBytes(chunks, startChunks)
  }
  const users = new Map([...listStatic(chunks, main)].map((name) => [name, [main]]))
  const visited = new Set([start, ...others])
  const visit = (entry) => {
    visited.add(entry)
    const loaded = listStatic(chunks, entry)
    for (const name of loaded)
      if (users.get(name)?.[0] !== main) users.set(name, [...(users.get(name) ?? []), entry])
    for (const next of [...loaded].flatMap((name) => chunks.get(name).dynamicImports))
      if (!visited.has(next) && !needsPack(next)) visit(next)
  }
  visit(main)
  return users
}

/** Returns a chunk and all chunks that are loaded with it. */
const listStatic = (chunks, name, found = new Set()) => {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunks.get(name).imports) listStatic(chunks, imported, found)
  return found
}

const sumBytes = (chunks, names) => [...names].reduce((sum, name) => sum + chunks.get(name).bytes, 0)

/** Imports from a chunk of another pack become imports from that pack. */
const packPlugin = ({ chunks, texts, packs, packOf, outdir }) => ({
  name: 'packs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pack:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'pack' }))
    onLoad({ filter: /.*/, namespace: 'pack' }, ({ path }) => ({
      contents: exportAll(path, packs.get(path) ?? []),
      resolveDir: outdir,
    }))
    const exportAll = (root, members) =>
      [
        `export { ${chunks.get(root).exports.join(', ')} } from './${root}'`,
        ...members
          .filter((name) => name !== root)
          .map((name) => `export { ${rename(name, (alias, own) => `${own} as ${alias}`)} } from './${name}'`),
      ].join('\n')
    const rename = (name, toSpecifier) =>
      [...listUsedNames(name)].map((own) => toSpecifier(`${name.replace(/\W/g, '_')}_${own}`, own)).join(', ')
    /** Returns the names that other files import from a chunk. */
    const listUsedNames = (name) =>
      new Set(
        [...chunks]
          .filter(([other, { imports }]) => imports.includes(name) && packOf.get(other) !== packOf.get(name))
          .flatMap(([other]) => listImportedNames(texts.get(other), name)),
      )

    onResolve({ filter: /^\.\// }, ({ path, importer, namespace, kind }) => {
      const name = basename(path)
      const from = basename(importer)
      const home = packOf.get(name) ?? name
      const isForeign = namespace === 'member' || home !== (packOf.get(from) ?? from)
      if (kind === 'dynamic-import' || (isForeign && home === name))
        return { path: path.replace(/\.js$/, '.cjs'), external: true }
      return isForeign ? { path: name, namespace: 'member' } : { path: join(outdir, name) }
    })
    onLoad({ filter: /.*/, namespace: 'member' }, ({ path }) => ({
      contents: `export { ${rename(path, (alias, own) => `${alias} as ${own}`)} } from './${packOf.get(path)}'`,
      resolveDir: outdir,
    }))
    onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => ({
      contents: texts.get(basename(path)),
      resolveDir: outdir,
    }))
    // Native packages and Node's modules.
    onResolve({ filter: /^[^./]/ }, ({ path }) => ({ path, external: true }))
  },
})

/** Returns the names that the text of a chunk, as esbuild writes it, imports from another chunk. */
const listImportedNames = (text, name) =>
  [...text.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g)]
    .filter(([, , from]) => from === name)
    .flatMap(([, names]) => names.split(',').map((specifier) => specifier.trim().split(/\s+as\s+/)[0]))
    .filter(Boolean)
