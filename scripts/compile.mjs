/**
 * Compiles test files and their imports to plain JavaScript. A test process then starts one second earlier
 * than with a loader.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { isBuilt } from './built.mjs'
import { processes } from './processes.mjs'

/**
 * Worker processes of tests. They are compiled if a test in their folder is. With a loader each start takes
 * one second of CPU time more.
 */
const ofTests = [
  { name: 'CRYPTO_CRASH_CHILD', in: 'packages/matrix/test/crypto-crash-child.ts' },
  { name: 'DOWNLOAD_PROCESS', in: 'packages/local-models/test/download-process.ts' },
  { name: 'WAITING_PROCESS', in: 'packages/local-runtime/test/waiting-process.ts' },
  { name: 'DAMAGE_WORKER', in: 'test/ordeal/damage-worker.ts' },
  { name: 'BELOW_ENGINE_WORKER', in: 'test/ordeal/below-engine-worker.ts' },
]

/**
 * Compiles `files` (paths under `root`) and returns a function from a file to its compiled path under
 * `folder`. `import.meta.url` and the like keep the values of the source.
 */
export const compile = async (root, files, folder) => {
  const toCompiledPath = (file) => join(folder, file.replace(/\.ts$/, '.js'))
  const folders = new Set(files.map((file) => dirname(file)))
  // Measured: a process from the build starts in half the time, because it is a single file with its
  // packages.
  const builtProcesses = isBuilt() ? processes : []
  const startedProcesses = [
    ...processes.filter((entry) => !builtProcesses.includes(entry)),
    ...ofTests.filter((entry) => folders.has(dirname(entry.in))),
  ]
  const places = [
    ...builtProcesses.map(({ name, out }) => [name, join(root, 'dist', `${out}.mjs`)]),
    ...startedProcesses.map((entry) => [entry.name, toCompiledPath(entry.in)]),
  ]
  await build({
    absWorkingDir: root,
    entryPoints: [...files, ...startedProcesses.map((entry) => entry.in)].map((file) => join(root, file)),
    outbase: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
    define: Object.fromEntries(
      places.map(([name, path]) => [name, JSON.stringify(pathToFileURL(path).href)]),
    ),
    plugins: [{ name: 'own place', setup: tellPlace }],
  })
  return toCompiledPath
}

const tellPlace = ({ onLoad }) =>
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
    const source = await readFile(path, 'utf8')
    return {
      contents: source.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, property) =>
        JSON.stringify(values[property]),
      ),
      loader: 'ts',
    }
  })
