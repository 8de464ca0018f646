/** Builds the package `@daimon/journal` in a folder: `node scripts/build-journal.mjs <folder>`. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'dist-journal'))

rmSync(folder, { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'journal'), '--outDir', folder],
  { stdio: 'inherit' },
)
for (const name of ['package.json', 'README.md'])
  copyFileSync(join(root, 'journal', name), join(folder, name))
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
