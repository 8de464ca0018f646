/** Builds `dist/`: the daemon bundled for Node, and its page for the browser. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const web = join(root, 'web')
const day = 24 * 60 * 60 * 1000

/** Packages that load a binary from their own folder. */
const native = ['argon2', 'classic-level']

/** A package asks for it, and goes on where it is missing. */
const missing = /^zlib-sync$/

// Packages written for CommonJS call `require` for Node's own modules.
const requireBanner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  sourcemap: 'linked',
  logLevel: 'warning',
}

const main = async () => {
  for (const needed of ['index.html', 'main.ts', 'main.css']) {
    if (existsSync(join(web, needed))) continue
    console.error(`web/${needed} is missing: a daemon without its page is not built`)
    process.exit(1)
  }
  const built = await Promise.all([
    buildPage(),
    ...processes.map(buildProcess),
    buildProcess({ in: 'src/main.ts', out: 'main' }),
  ])
  const files = new Map(
    built.flatMap(({ outputFiles }) => outputFiles).map(({ path, contents }) => [path, contents]),
  )
  for (const file of staticFiles()) files.set(join(dist, 'web', file), readFileSync(join(web, file)))
  beExecutable(files)
  publish(files)
}

/**
 * Apart from the daemon, so that they share no chunk: none loads what is another's. Each is told by its name
 * where the others lie.
 */
const processes = [
  { in: 'src/documents/document-reader.ts', out: 'document-reader', name: 'DOCUMENT_READER' },
  { in: 'src/mind/import/history-reader.ts', out: 'history-reader', name: 'HISTORY_READER' },
  { in: 'src/diary/keeper.ts', out: 'diary-keeper', name: 'DIARY_KEEPER' },
]

/** `import()` stays a chunk of its own, read when it is reached. */
const buildProcess = ({ in: source, out }) =>
  build({
    ...common,
    entryPoints: [{ in: source, out }],
    outdir: dist,
    platform: 'node',
    target: 'node20',
    external: native,
    banner: { js: requireBanner },
    define: Object.fromEntries(processes.map(({ out, name }) => [name, JSON.stringify(`./${out}.js`)])),
    plugins: [lazyPackages],
  })

/**
 * Bundled, `import('package')` of a CommonJS package would give its `default` alone, where Node also gives
 * names. So each goes through a module that exports the names which Node sees.
 */
const lazyPackages = {
  name: 'lazy-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: missing }, ({ path }) => ({ path, external: true }))
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !isBuiltin(path) && !native.includes(path)
        ? { path, namespace: 'lazy' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'lazy' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name))
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)}`, resolveDir: root }
    })
  },
}

/**
 * `main.js` and `main.css` by these names for ever; later chunks and what the styles refer to have a hash in
 * theirs.
 */
const buildPage = () =>
  build({
    ...common,
    entryPoints: [
      { in: 'web/main.ts', out: 'main' },
      { in: 'web/main.css', out: 'main' },
    ],
    outdir: join(dist, 'web', 'assets'),
    platform: 'browser',
    target: 'es2022',
    minify: true,
    external: ['/assets/*'],
    loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  })

/** All of `web/` that the bundle does not hold. */
const staticFiles = () =>
  readdirSync(web, { recursive: true }).filter(
    (path) =>
      statSync(join(web, path)).isFile() &&
      !/(^|\/)\.|\.(ts|css|md)$|^tsconfig\.json$/.test(path.replaceAll('\\', '/')),
  )

/** The first line that makes the bundle a command, and the source map one line further down. */
const beExecutable = (files) => {
  const [script, map] = [join(dist, 'main.js'), join(dist, 'main.js.map')]
  const text = Buffer.from(files.get(script)).toString()
  if (text.startsWith('#!')) return
  const { mappings, ...rest } = JSON.parse(Buffer.from(files.get(map)).toString())
  files.set(script, `#!/usr/bin/env node\n${text}`)
  files.set(map, JSON.stringify({ ...rest, mappings: `;${mappings}` }))
}

/**
 * Each file by a rename, `main.js` last: a daemon that starts meanwhile is all old or all new.
 * Chunks of earlier builds stay for a day, since a running daemon may still ask for one.
 */
const publish = (files) => {
  const last = join(dist, 'main.js')
  for (const [path, contents] of [...files].sort(
    ([one], [other]) => Number(one === last) - Number(other === last),
  )) {
    mkdirSync(dirname(path), { recursive: true })
    const staged = `${path}.${process.pid}.new`
    writeFileSync(staged, contents, { mode: path === last ? 0o755 : 0o644 })
    renameSync(staged, path)
  }
  for (const name of readdirSync(dist, { recursive: true })) {
    const path = join(dist, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && !files.has(path) && Date.now() - found.mtimeMs > day) rmSync(path, { force: true })
  }
}

await main().catch((error) => {
  if (!error.errors) throw error // esbuild has shown its own
  process.exit(1)
})
