/**
 * Joins the chunks of the daemon that a start always loads into a few files. Each such file is a pack.
 * Measured: a start opened 280 files, which took a fifth of its CPU time.
 */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/**
 * A pack has the name of the chunk of its first module, and contains the chunks that this one imports
 * statically. Each process loads the first pack, each daemon the second one, and the third one after the
 * start.
 */
const rootModules = ['src/main.ts', 'src/cli/serve.ts', 'src/http/server/app.ts']

/** A command may load the second pack if it needs more than this share of it. */
const minShare = 1 / 3

/**
 * Returns the packs and the other chunks as CommonJS files. `outputFiles` and `metafile` are those of a build
 * with code splitting, with inline source maps.
 */
export const buildPacks = async ({ outputFiles, metafile, outdir, options }) => {
  const chunks = readChunks(metafile, outputFiles)
  const packs = planPacks(chunks)
  const packOf = new Map([...packs].flatMap(([pack, members]) => members.map((member) => [member, pack])))
  const names = [...chunks.keys()].filter((name) => (packOf.get(name) ?? name) === name)
  const toFileName = createFileNames(packs)
  const result = await build({
    ...options,
    entryPoints: names.map((name) => ({ in: `pack:${name}`, out: toFileName(name) })),
    outdir,
    bundle: true,
    splitting: false,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [createPackPlugin({ chunks, packs, packOf, toFileName, outdir })],
  })
  return result.outputFiles
}

/**
 * Returns a function that gives the name of a file without its extension. The name changes with the packs,
 * because a running daemon must not load a file of a build that divides its chunks differently.
 */
const createFileNames = (packs) => {
  const digest = createHash('sha256')
    .update(JSON.stringify([...packs]))
    .digest('hex')
    .slice(0, 6)
  const mainName = packs.keys().next().value
  return (name) => name.replace(/\.js$/, name === mainName ? '' : `-${digest}`)
}

/** Returns the chunks by their file names, with the names of the chunks that they import. */
const readChunks = ({ outputs }, outputFiles) => {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const toChunk = ([path, { imports, exports, entryPoint, bytes }]) => {
    const listImports = (isDynamic) =>
      imports
        .filter(({ external, kind }) => !external && (kind === 'dynamic-import') === isDynamic)
        .map((imported) => basename(imported.path))
    const text = texts.get(basename(path))
    return { text, entryPoint, exports, bytes, imports: listImports(false), lateImports: listImports(true) }
  }
  return new Map(Object.entries(outputs).map((output) => [basename(output[0]), toChunk(output)]))
}

/**
 * Returns the chunks of each pack, by the name of its file. Chunks that commands load without the second pack
 * are joined only with chunks that the same commands load, so that no command loads more code.
 */
const planPacks = (chunks) => {
  const roots = rootModules.map((module) => findChunk(chunks, module))
  const users = findUsers(chunks, roots)
  const packs = new Map()
  const plannedChunks = new Set()
  for (const root of roots) {
    const packNames = new Map()
    for (const name of listLoaded(chunks, root)) {
      if (plannedChunks.has(name)) continue
      plannedChunks.add(name)
      const key = users.get(name)?.join() ?? root
      if (!packNames.has(key)) packNames.set(key, name)
      const pack = packNames.get(key)
      packs.set(pack, [...(packs.get(pack) ?? []), name])
    }
  }
  return packs
}

const findChunk = (chunks, module) => {
  for (const [name, { entryPoint }] of chunks) if (entryPoint === module) return name
  throw new Error(`${module} has no chunk: name a module that is imported with import() in packs.mjs`)
}

/** Returns which chunks can load a chunk without the second pack, for each such chunk. */
const findUsers = (chunks, [mainRoot, startRoot, ...laterRoots]) => {
  const startChunks = listLoaded(chunks, startRoot)
  const needsPack = (name) => {
    const neededChunks = [...listLoaded(chunks, name)].filter((needed) => startChunks.has(needed))
    return sumBytes(chunks, neededChunks) > minShare * sumBytes(chunks, startChunks)
  }
  const users = new Map()
  const visitedChunks = new Set([startRoot, ...laterRoots])
  const visit = (user) => {
    visitedChunks.add(user)
    const loadedChunks = listLoaded(chunks, user)
    for (const name of loadedChunks) {
      const earlierUsers = users.get(name) ?? []
      if (earlierUsers[0] !== mainRoot) users.set(name, [...earlierUsers, user])
    }
    for (const next of [...loadedChunks].flatMap((name) => chunks.get(name).lateImports))
      if (!visitedChunks.has(next) && !needsPack(next)) visit(next)
  }
  visit(mainRoot)
  return users
}

/** Returns a chunk and all chunks that it imports statically. */
const listLoaded = (chunks, name, names = new Set()) => {
  if (names.has(name)) return names
  names.add(name)
  for (const imported of chunks.get(name).imports) listLoaded(chunks, imported, names)
  return names
}

const sumBytes = (chunks, names) => [...names].reduce((sum, name) => sum + chunks.get(name).bytes, 0)

/**
 * Builds a pack from its chunks. An import from a chunk of another pack becomes an import from that pack.
 * There each exported name begins with the name of its chunk.
 */
const createPackPlugin = ({ chunks, packs, packOf, toFileName, outdir }) => {
  const getPack = (name) => packOf.get(name) ?? name

  const writePack = (root) =>
    [
      `export { ${chunks.get(root).exports.join(', ')} } from './${root}'`,
      ...(packs.get(root) ?? [])
        .filter((name) => name !== root)
        .map(
          (name) =>
            `export { ${listSpecifiers(name, (unique, plain) => `${plain} as ${unique}`)} } from './${name}'`,
        ),
    ].join('\n')

  const writeMember = (name) =>
    `export { ${listSpecifiers(name, (unique, plain) => `${unique} as ${plain}`)} } from './${packOf.get(name)}'`

  const listSpecifiers = (name, toSpecifier) =>
    [...listUsedNames(name)]
      .map((plain) => toSpecifier(`${name.replace(/\W/g, '_')}_${plain}`, plain))
      .join(', ')

  /** Returns the names that other files import from a chunk. */
  const listUsedNames = (name) =>
    new Set(
      [...chunks]
        .filter(([user, { imports }]) => imports.includes(name) && packOf.get(user) !== packOf.get(name))
        .flatMap(([, { text }]) => listImportedNames(text, name)),
    )

  const resolveChunk = ({ path, importer, namespace, kind }) => {
    const name = basename(path)
    const isForeign = namespace === 'member' || getPack(name) !== getPack(basename(importer))
    if (kind === 'dynamic-import' || (isForeign && getPack(name) === name))
      return { path: `./${toFileName(name)}.cjs`, external: true }
    return isForeign ? { path: name, namespace: 'member' } : { path: join(outdir, name) }
  }

  return {
    name: 'packs',
    setup({ onResolve, onLoad }) {
      const onLoadIn = (namespace, write) =>
        onLoad({ filter: /\.js$/, namespace }, ({ path }) => ({
          contents: write(basename(path)),
          resolveDir: outdir,
        }))
      onResolve({ filter: /^pack:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'pack' }))
      onResolve({ filter: /^\.\// }, resolveChunk)
      // Native packages and Node's modules.
      onResolve({ filter: /^[^./]/ }, ({ path }) => ({ path, external: true }))
      onLoadIn('pack', writePack)
      onLoadIn('member', writeMember)
      onLoadIn('file', (name) => chunks.get(name).text)
    },
  }
}

/** Returns the names that the text of a chunk, as esbuild writes it, imports from another chunk. */
const listImportedNames = (text, name) =>
  [...text.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g)]
    .filter(([, , file]) => file === name)
    .flatMap(([, names]) => names.split(',').map((specifier) => specifier.trim().split(/\s+as\s+/)[0]))
    .filter(Boolean)
