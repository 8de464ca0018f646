/**
 * Test files as plain JavaScript, all that they import with them: a process that runs one starts a second
 * earlier than by way of a loader.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Processes and threads of the daemon's own, which no test imports. */
const processes = {
  DOCUMENT_READER: 'src/documents/document-reader.ts',
  HISTORY_READER: 'src/mind/import/history-reader.ts',
  PAGE_PARSER: 'src/web-reading/page-parser.ts',
  DIARY_KEEPER: 'src/diary/keeper.ts',
  CHAIN_THREAD: 'journal/log/chain-thread.ts',
  TABLE_THREAD: 'journal/leveldb/table-thread.ts',
}

/** Those of tests, compiled where a test of their folder is. */
const ofTests = { DAMAGE_WORKER: 'test/ordeal/damage-worker.ts' }

/**
 * Paths under `root` in, their compiled paths under `folder` out. Where a module asks for its own place, it
 * is told that of its source.
 */
export const compile = async (root, files, folder) => {
  const compiled = (file) => join(folder, file.replace(/\.ts$/, '.js'))
  const folders = new Set(files.map((file) => dirname(file)))
  const started = [
    ...Object.entries(processes),
    ...Object.entries(ofTests).filter(([, file]) => folders.has(dirname(file))),
  ]
  await build({
    absWorkingDir: root,
    entryPoints: [...files, ...started.map(([, file]) => file)].map((file) => join(root, file)),
    outbase: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'error',
    define: Object.fromEntries(
      started.map(([name, file]) => [name, JSON.stringify(pathToFileURL(compiled(file)).href)]),
    ),
    plugins: [{ name: 'own place', setup: tellPlace }],
  })
  return compiled
}

const tellPlace = ({ onLoad }) =>
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
    const source = await readFile(path, 'utf8')
    return {
      contents: source.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, what) =>
        JSON.stringify(own[what]),
      ),
      loader: 'ts',
    }
  })
