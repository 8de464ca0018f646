/** The package `@daimon/journal` as a stranger gets it: in another folder, with its own dependencies only. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { bytesIn, inHome } from './engines.ts'

const test = suite('journal package')
const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) })
const readManifest = async (path: string) =>
  Manifest.parse(JSON.parse(await readFile(join(root, path), 'utf8')))

/** Installs the built package in a folder. Only its declared dependencies can be resolved there. */
const install = async (folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules')
  await run(process.execPath, [join(root, 'scripts/build-journal.mjs'), join(modules, '@daimon/journal')])
  const { dependencies } = await readManifest('journal/package.json')
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Compiles files with strict types against the package. */
const compile = (folder: string, ...names: string[]) =>
  run(process.execPath, [
    tsc,
    ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--strict'],
    ...['--exactOptionalPropertyTypes', '--skipLibCheck', '--rootDir', folder],
    ...names.map((name) => join(folder, name)),
  ]).catch(({ stdout }: { stdout: string }) => assert.unreachable(stdout))

test('its dependencies have the versions of the daemon', async () => {
  const { dependencies } = await readManifest('journal/package.json')
  const daemon = await readManifest('package.json')
  for (const [name, version] of Object.entries(dependencies)) assert.is(version, daemon.dependencies[name])
})

test('runs the todo list, and the conformance tests of the README', async () => {
  await inHome(async (folder) => {
    await install(folder)
    await copyFile(join(root, 'journal/examples/todo-list.ts'), join(folder, 'todo-list.ts'))
    const readme = await readFile(join(root, 'journal/README.md'), 'utf8')
    const [start = '', engine = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, code]) => code ?? '',
    )
    await writeFile(join(folder, 'start.ts'), start)
    await writeFile(join(folder, 'engine.ts'), engine)
    await compile(folder, 'todo-list.ts', 'start.ts', 'engine.ts')

    const todo = async (...words: string[]) =>
      (await run(process.execPath, ['todo-list.js', 'todo', ...words], { cwd: folder })).stdout
    await todo('add', 'buy', 'milk')
    await todo('add', 'call', 'the', 'secret', 'doctor')
    await todo('done', '2')
    assert.is(await todo('list'), '2 [x] buy milk\n3 [ ] call the secret doctor\n')
    await todo('forget', '3')
    assert.is(await todo('list'), '2 [x] buy milk\n3 [ ] (forgotten)\n')
    assert.match(
      await todo('history'),
      /^1 .* ListCreated\n2 .* ItemAdded\n3 .* ItemAdded\n4 .* ItemDone\n5 .* FactsErased\n$/,
    )
    assert.match(await todo('verify'), /intact: true/)
    const journal = join(folder, 'todo/lists/mine/journal')
    for (const ending of ['.log', '.ldb'])
      assert.not.ok((await bytesIn(journal, ending)).includes('secret doctor'), ending)

    assert.is(
      (await run(process.execPath, ['start.js'], { cwd: folder })).stdout,
      "2 { type: 'ItemAdded', text: 'milk' }\n",
    )
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap', 'engine.js'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    })
    assert.match(stdout, /# pass [5-9]\d\n# fail 0/)
  })
})

test.run()
