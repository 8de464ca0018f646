/** Builds `dist/`: the daemon bundled for Node, and its page for the browser. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, transform } from 'esbuild'
import { build as buildWeb } from 'vite'
import { collectLicences } from './licences.mjs'
import { processes } from './processes.mjs'
import { publish } from './publish.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const web = join(root, 'web')

/** Every file that was bundled, whose licences go along. */
const bundled = new Set()

/** Packages that load a binary from their own folder: the only dependencies of the published package. */
const native = ['@node-rs/crc32', 'argon2', 'classic-level']

/** LevelDB's JavaScript is bundled; only its binary stays in its folder. */
const external = native.filter((name) => name !== 'classic-level')

/** Packages that others use only if they are installed: they are not among our dependencies. */
const missing = /^(zlib-sync|supports-color)$/

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
  metafile: true,
  sourcemap: 'linked',
  logLevel: 'warning',
}

const main = async () => {
  for (const needed of ['index.html', 'main.ts']) {
    if (existsSync(join(web, needed))) continue
    console.error(`web/${needed} is missing: a daemon without its page is not built`)
    process.exit(1)
  }
  const built = await Promise.all([
    buildPage(),
    ...processes.map((process) => buildProcess(process)),
    buildLoader(),
    buildDaemon(),
  ])
  const files = new Map(built.flat().map(({ path, contents }) => [path, contents]))
  bundled.add(join(root, 'node_modules/pdfjs-dist/cmaps/LICENSE'))
  files.set(join(dist, 'third-party-licences.txt'), collectLicences(root, bundled, native))
  files.set(join(dist, 'package.json'), publishedManifest())
  addCharacterMaps(files)
  for (const name of ['LICENSE', 'README.md']) files.set(join(dist, name), readFileSync(join(root, name)))
  publish(dist, files)
}

/** The character maps that the reader of PDFs loads (packages/documents/pdf.ts), with their licence. */
const addCharacterMaps = (files) => {
  const folder = join(root, 'node_modules/pdfjs-dist/cmaps')
  for (const name of readdirSync(folder))
    files.set(join(dist, 'cmaps', name), readFileSync(join(folder, name)))
}

/**
 * `dist/` is the package that is published: everything but the native packages is bundled. The type is that
 * of `main.js`; the other files have it in their names.
 */
const publishedManifest = () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, engines, dependencies } = own
  const manifest = {
    ...{ name, version, description, license, private: true, type: 'commonjs', engines },
    bin: { daimon: 'main.js' },
    dependencies: Object.fromEntries(native.map((name) => [name, dependencies[name]])),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * Each apart from the daemon, so that they share no chunk: none loads what is another's, and each is told by
 * its name where the others lie. `import()` stays a chunk of its own, read when it is reached.
 */
const buildProcess = async ({ in: source, out }, options = {}) => {
  const { outputFiles, metafile } = await build({
    ...common,
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
  for (const path of Object.keys(metafile.inputs)) bundled.add(path)
  return outputFiles
}

/** CommonJS, too: ⏱ Node takes some ten milliseconds longer to begin with a module. */
const buildLoader = () =>
  buildProcess(
    { in: 'src/loader.ts', out: 'main' },
    { format: 'cjs', splitting: false, banner: {}, outExtension: {} },
  )

/**
 * What `src/loader.ts` loads: CommonJS, whose compiled code can be kept. esbuild makes chunks of ESM alone,
 * so each is turned.
 */
const buildDaemon = async () => {
  const outputs = await buildProcess(
    { in: 'src/main.ts', out: 'daimon' },
    { sourcemap: 'inline', banner: {}, outExtension: { '.js': '.cjs' } },
  )
  return (await Promise.all(outputs.map(asCommonJs))).flat()
}

const asCommonJs = async ({ path, text }) => {
  const placed = text.includes('import.meta.url')
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: placed ? 'const __url=require("node:url").pathToFileURL(__filename).href;' : '',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'external',
    logLevel: 'error', // what there is to say was said of the modules
  })
  return [
    { path, contents: `${code}//# sourceMappingURL=${basename(path)}.map\n` },
    { path: `${path}.map`, contents: map },
  ]
}

/**
 * Bundled, `import('package')` of a CommonJS package would give its `default` alone, where Node also gives
 * names. So each goes through a module that exports the names which Node sees.
 */
const lazyPackages = {
  name: 'lazy-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: missing }, ({ path }) => ({ path, external: true }))
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
 * What a start would read and nobody uses: zod's words in fifty languages, charsets that no JSON body may be
 * in (`utf-*` alone is taken), and LevelDB's JavaScript as thirty files that each have to be found. Its
 * binary stays where it lies.
 */
const slim = {
  name: 'slim',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^rxjs$/ }, () => ({ path: join(root, 'node_modules/rxjs/dist/esm/index.js') }))
    // Its main file loads the others in a way that no bundler follows.
    onResolve({ filter: /^jsonc-parser$/ }, () => ({
      path: join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
    }))
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
    }))
    onLoad({ filter: /iconv-lite\/encodings\/(dbcs-data|sbcs-data|sbcs-data-generated)\.js$/ }, () => ({
      contents: 'module.exports = {}',
    }))
    onLoad({ filter: /classic-level\/binding\.js$/ }, () => ({
      contents: `const { createRequire } = require('node:module'), { dirname } = require('node:path')
module.exports = require('node-gyp-build')(dirname(createRequire(__entry).resolve('classic-level/package.json')))`,
      resolveDir: root,
    }))
  },
}

/**
 * What the page asks for at once is one file: of its own accord the bundler makes one of each combination of
 * rooms that shares it, 26 of them. So is the talk, which others draw words with.
 */
const codeOfPage = [
  { name: 'page', tags: ['$initial'], priority: 1 },
  { name: 'talk', test: /\/talk\/TalkRoom\.svelte$/ },
]

/** A query stands behind the path of some modules, and a null byte before those that are no file. */
const seen = {
  name: 'seen',
  moduleParsed: ({ id }) => void bundled.add(id.replace(/\?.*/, '').replace(/^\0/, '')),
}

/** What the first view needs is asked for with its page: else only once that has come and begun. */
const ahead = {
  name: 'ahead',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle)
        .filter((name) => /\/(TalkRoom|talk)-[^/]*\.js$/.test(name))
        .map((name) => ({
          tag: 'link',
          // Without `crossorigin` it would be asked for a second time.
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head',
        })),
  },
}

/** All of `web/`: what is not reached from `main.ts` at once is a chunk of its own. */
const buildPage = async () => {
  const { output } = await buildWeb({
    configFile: false,
    root: web,
    publicDir: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: false }), seen, ahead],
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
  const made = output.map(({ fileName, ...file }) => [
    fileName,
    file.type === 'chunk' ? file.code : file.source,
  ])
  const given = filesIn(join(web, 'public')).map((path) => [path, readFileSync(join(web, 'public', path))])
  const licence = join(root, 'node_modules/@fontsource-variable/literata/LICENSE')
  bundled.add(licence)
  const beside = [['assets/literata-licence.txt', readFileSync(licence)]]
  return [...made, ...given, ...beside].flatMap(([name, contents]) =>
    packed(join(dist, 'web', name), Buffer.from(contents)),
  )
}

/** The highest for what the first view asks for; elsewhere a third of its time, for a fiftieth more bytes. */
const quality = (path) => (/\/(page|talk)-[^/]*$/.test(path) ? 11 : 10)

/** Beside each file of words the same one compressed, for every browser that takes it. */
const packed = (path, contents) => [
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
  if (!error.errors) throw error // esbuild has shown its own
  process.exit(1)
})
