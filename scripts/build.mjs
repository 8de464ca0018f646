/** Builds `dist/`: the daemon bundled for Node, and its page for the browser. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'esbuild'
import { build as buildWeb } from 'vite'
import { collectLicences } from './licences.mjs'
import { buildPacks } from './packs.mjs'
import { processes } from './processes.mjs'
import { publish } from './publish.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const web = join(root, 'web')

/** All bundled files. Their licences are collected. */
const bundled = new Set()

/**
 * Packages that load a binary from their own folder. They are the only dependencies of the published package.
 */
const native = ['@node-rs/crc32', 'argon2', 'classic-level']

/** LevelDB's JavaScript is bundled; only its binary stays in its package. */
const external = native.filter((name) => name !== 'classic-level')

/** Optional packages of dependencies. They are not among our dependencies. */
const optionalPackages = /^(zlib-sync|supports-color)$/

// Packages written for CommonJS call `require` for Node's own modules.
const requireBanner = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`

const commonOptions = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  metafile: true,
  sourcemap: 'linked',
  logLevel: 'warning',
}

const main = async () => {
  for (const neededFile of ['index.html', 'main.ts']) {
    if (existsSync(join(web, neededFile))) continue
    console.error(`web/${neededFile} is missing: a daemon is not built without its page`)
    process.exit(1)
  }
  const results = await Promise.all([
    buildPage(),
    ...processes.map((process) => buildProcess(process)),
    buildLoader(),
    buildDaemon(),
  ])
  const files = new Map(results.flat().map(({ path, contents }) => [path, contents]))
  bundled.add(join(root, 'node_modules/pdfjs-dist/cmaps/LICENSE'))
  files.set(join(dist, 'third-party-licences.txt'), collectLicences(root, bundled, native))
  files.set(join(dist, 'package.json'), publishedManifest())
  addCharacterMaps(files)
  addEncryptionLibrary(files)
  for (const name of ['LICENSE', 'README.md']) files.set(join(dist, name), readFileSync(join(root, name)))
  publish(dist, files)
}

/** Adds the character maps that the PDF reader loads (packages/documents/pdf.ts), with their licence. */
const addCharacterMaps = (files) => {
  const folder = join(root, 'node_modules/pdfjs-dist/cmaps')
  for (const name of readdirSync(folder))
    files.set(join(dist, 'cmaps', name), readFileSync(join(folder, name)))
}

/**
 * Adds the encryption of Matrix, which its JavaScript loads from this place
 * (packages/matrix/crypto/crypto-library.ts).
 */
const addEncryptionLibrary = (files) => {
  const path = 'pkg/matrix_sdk_crypto_wasm_bg.wasm'
  files.set(
    join(dist, path),
    readFileSync(join(root, 'node_modules/@matrix-org/matrix-sdk-crypto-wasm', path)),
  )
}

/**
 * Returns the `package.json` of `dist/`, which is the published package. Everything except the native
 * packages is bundled. The type is that of `main.js`; the other files have it in their extension.
 */
const publishedManifest = () => {
  const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, engines, dependencies } = packageJson
  const manifest = {
    name,
    version,
    description,
    license,
    publishConfig: { access: 'public', provenance: true },
    type: 'commonjs',
    engines,
    bin: { daimon: 'main.js' },
    dependencies: Object.fromEntries(native.map((name) => [name, dependencies[name]])),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * Builds each process separately from the daemon, so that they share no chunks and none loads code of
 * another. A constant per process holds the path of its file. `import()` becomes a separate chunk that is
 * read on demand.
 */
const buildProcess = async (entry, options = {}) => (await buildModules(entry, options)).outputFiles

const buildModules = async ({ in: source, out }, options) => {
  const result = await build({
    ...commonOptions,
    entryPoints: [{ in: source, out }],
    outdir: dist,
    platform: 'node',
    target: 'node20',
    external,
    banner: { js: requireBanner },
    outExtension: { '.js': '.mjs' },
    define: {
      ...Object.fromEntries(processes.map(({ out, name }) => [name, JSON.stringify(`./${out}.mjs`)])),
      __entry: 'import.meta.url',
    },
    plugins: [slim, lazyPackages],
    ...options,
  })
  for (const path of Object.keys(result.metafile.inputs)) bundled.add(path)
  return result
}

/** CommonJS as well. Measured: Node needs about 10 ms longer to start an ES module. */
const buildLoader = () =>
  buildProcess(
    { in: 'src/loader.ts', out: 'main' },
    { format: 'cjs', splitting: false, banner: {}, outExtension: {} },
  )

/**
 * Builds the daemon, which `src/loader.ts` loads, as CommonJS, because its compiled code can be cached.
 * esbuild splits only ESM into chunks, so the chunks are converted afterwards.
 */
const buildDaemon = async () => {
  const { outputFiles, metafile } = await buildModules(
    { in: 'src/main.ts', out: 'daimon' },
    { sourcemap: 'inline', banner: {}, outExtension: {}, plugins: [slim, lazyPackages, asciiSources] },
  )
  return buildPacks({ outputFiles, metafile, outdir: dist, options: commonJs })
}

/**
 * Escapes characters beyond ASCII, which esbuild leaves in regular expressions. V8 stores a file
 * that contains one of them with two bytes per character. Measured: 2 MB less memory.
 */
const asciiSources = {
  name: 'ascii-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replace(/[^\0-\x7f]/g, toEscape)
      return contents === text ? undefined : { contents, loader: 'ts' }
    })
  },
}

const toEscape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Of the second build, which has the chunks of the first as its input. */
const commonJs = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__url' },
  inject: [join(root, 'scripts/module-url.mjs')],
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  sourcemap: 'linked',
  logLevel: 'error', // what there is to say was said of the modules
}

/**
 * A bundled `import('package')` of a CommonJS package returns only `default`, while Node also returns named
 * exports. So each goes through a module that exports the names that Node detects.
 */
const lazyPackages = {
  name: 'lazy-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: optionalPackages }, ({ path }) => ({ path, external: true }))
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !isBuiltin(path) && !external.includes(path)
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
 * Leaves out code that a start would read without need: zod's locales, charsets other than `utf-*` (JSON
 * bodies accept only these), and the lookup of LevelDB's JavaScript in 30 files. LevelDB's binary stays in
 * its package.
 */
const slim = {
  name: 'slim',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^rxjs$/ }, () => ({ path: join(root, 'node_modules/rxjs/dist/esm/index.js') }))
    // Its main file loads the others in a way that bundlers cannot follow.
    onResolve({ filter: /^jsonc-parser$/ }, () => ({
      path: join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
    }))
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
    }))
    onLoad({ filter: /iconv-lite\/encodings\/(dbcs-data|sbcs-data|sbcs-data-generated)\.js$/ }, () => ({
      contents: 'module.exports = {}',
    }))
    // It looks for a charset that is left out. Mail servers are asked for nothing that it would decode.
    onLoad({ filter: /libmime\/dist\/(esm|cjs)\/charset\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/= [\w.]*getCodec\('gbk'\)\.decoder/, '= null'),
    }))
    onLoad({ filter: /\/(pino|sonic-boom)\/.*\.js$/ }, ({ path }) => {
      const changes = lateRequires[relative(join(root, 'node_modules'), path)]
      return changes && { contents: applyChanges(path, changes) }
    })
    onLoad({ filter: /classic-level\/binding\.js$/ }, () => ({
      contents: `const { createRequire } = require('node:module'), { dirname } = require('node:path')
module.exports = require('node-gyp-build')(dirname(createRequire(__entry).resolve('classic-level/package.json')))`,
      resolveDir: root,
    }))
  },
}

/**
 * Modules that files of pino load at once and use rarely, by the path of the file. Each change is a text and
 * its replacement.
 */
const lateRequires = {
  'sonic-boom/index.js': [
    ["const assert = require('assert')", "const assert = (...args) => require('assert')(...args)"],
  ],
  'pino/lib/transport.js': [
    ["const ThreadStream = require('thread-stream')", ''],
    ['new ThreadStream(', "new (require('thread-stream'))("],
  ],
  'pino/lib/tools.js': [
    ["const { isMainThread } = require('worker_threads')", ''],
    ['&& isMainThread', "&& require('worker_threads').isMainThread"],
  ],
}

const applyChanges = (path, changes) =>
  changes.reduce(
    (text, [oldText, newText]) => {
      if (!text.includes(oldText)) throw new Error(`${path} has no "${oldText}": adapt lateRequires`)
      return text.replace(oldText, newText)
    },
    readFileSync(path, 'utf8'),
  )

/**
 * Puts the code that the page loads first into one file. By default the bundler makes a file for each
 * combination of rooms that shares code: 26 files. The talk room is a separate file, because other rooms use
 * its message rendering.
 */
const codeOfPage = [
  { name: 'page', tags: ['$initial'], priority: 1 },
  { name: 'talk', test: /\/talk\/TalkRoom\.svelte$/ },
]

/**
 * Records the modules of the page. Some ids have a query after the path, and virtual modules begin with a
 * null byte.
 */
const recordModules = {
  name: 'seen',
  moduleParsed: ({ id }) => void bundled.add(id.replace(/\?.*/, '').replace(/^\0/, '')),
}

/**
 * Preloads the code of the first view. Otherwise it would be requested only after the page's own code has
 * started.
 */
const preloadPlugin = {
  name: 'ahead',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle)
        .filter((name) => /\/(TalkRoom|talk)-[^/]*\.js$/.test(name))
        .map((name) => ({
          tag: 'link',
          // Without `crossorigin` the file would be requested twice.
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head',
        })),
  },
}

/** Builds all of `web/`. Code that `main.ts` does not import statically becomes a separate chunk. */
const buildPage = async () => {
  const { output } = await buildWeb({
    configFile: false,
    root: web,
    publicDir: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: false }), recordModules, preloadPlugin],
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 300,
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { codeSplitting: { groups: codeOfPage } },
      },
    },
  })
  const builtFiles = output.map(({ fileName, ...file }) => [
    fileName,
    file.type === 'chunk' ? file.code : file.source,
  ])
  const publicFiles = filesIn(join(web, 'public')).map((path) => [
    path,
    readFileSync(join(web, 'public', path)),
  ])
  const licence = join(root, 'node_modules/@fontsource/literata/LICENSE')
  bundled.add(licence)
  const extraFiles = [['assets/literata-licence.txt', readFileSync(licence)]]
  return [...builtFiles, ...publicFiles, ...extraFiles].flatMap(([name, contents]) =>
    withCompressed(join(dist, 'web', name), Buffer.from(contents)),
  )
}

/** The highest compression for the first view. Elsewhere a third of the time for 2 % more bytes. */
const quality = (path) => (/\/(page|talk)-[^/]*$/.test(path) ? 11 : 10)

/** Adds a compressed version of each text file, for browsers that accept Brotli. */
const withCompressed = (path, contents) => [
  { path, contents },
  ...(/\.(js|css|html|svg|webmanifest|json)$/.test(path)
    ? [
        {
          path: `${path}.br`,
          contents: brotliCompressSync(contents, {
            params: { [constants.BROTLI_PARAM_QUALITY]: quality(path) },
          }),
        },
      ]
    : []),
]

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile())

await main().catch((error) => {
  if (!error.errors) throw error // esbuild has printed its own errors
  process.exit(1)
})
