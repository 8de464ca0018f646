/**
 * Tab completion: the candidates for a command line, and the scripts for bash, zsh and fish if these shells
 * are installed.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { toolsIn } from '../docs/walk.ts'
import { printFigures } from '../ordeal.ts'

let daemon: TestDaemon
let folder: string
let env: NodeJS.ProcessEnv

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'))
  daemon = await startDaemon()
  for (const name of ['Ada', 'Ada the second'])
    await call(daemon.url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })
  await writeFile(join(folder, 'ada.diary'), '')
  env = { ...process.env, PATH: await toolsIn(folder), DAIMON_URL: daemon.url, HOME: folder }
})
test.after(async () => {
  await daemon.close()
  await rm(folder, { recursive: true, force: true })
})

const runCommand = async (command: string, args: readonly string[], changes: NodeJS.ProcessEnv = {}) =>
  (await promisify(execFile)(command, args, { cwd: folder, env: { ...env, ...changes } })).stdout
const complete = async (...args: readonly string[]) =>
  (await runCommand('daimon', ['__complete', '--', ...args])).split('\n').filter(Boolean)

const isHere = (shell: string): Promise<boolean> =>
  runCommand(shell, ['-c', 'exit']).then(
    () => true,
    () => printFigures(`skipped: ${shell} is not here, its completion was not tried`) ?? false,
  )

// Fails, like the next test, if names are offered for every argument.
test('completes names of personas of the daemon that the line names', async () => {
  const names = ['Ada', 'Ada the second']
  assert.equal(await complete('--url', daemon.url, 'talk', 'A'), names)
  assert.equal(await complete('calendar', 'list', '--from', '2026-01-01', 'A'), names)
  assert.equal(await complete('talk', 'Ada', 'A'), [])
})

test('completes options after a dash, then choices, and otherwise files', async () => {
  assert.equal(await complete('talk', '--f'), ['--file'])
  assert.equal(await complete('approvals', 'answer', 'Ada', '1', ''), ['once', 'always', 'no'])
  assert.equal(await complete('restore', ''), [])
})

const getScript = async (shell: string) => {
  const path = join(folder, `completion.${shell}`)
  await writeFile(path, await runCommand('daimon', ['completion', shell]))
  return path
}

test('bash completes a partial name with spaces and quotes', async () => {
  if (!(await isHere('bash'))) return
  const completeWords = (list: string, index: number) =>
    `COMP_WORDS=(${list}); COMP_CWORD=${index}; _daimon; printf '%s\\n' "\${COMPREPLY[@]}"`
  const lines = [
    `source ${await getScript('bash')}`,
    completeWords(String.raw`daimon talk 'Ada\ t'`, 2),
    completeWords(`daimon --url http : //localhost:${daemon.port} talk '"Ada t'`, 6),
  ]
  assert.is(await runCommand('bash', ['-c', lines.join('\n')]), 'Ada\\ the\\ second\nAda the second\n')
})

test('zsh passes words without quotes, and completes files if there is no candidate', async () => {
  if (!(await isHere('zsh'))) return
  const lines = [
    'compdef() { :; }; compadd() { print -l -- "$found[@]" }; _files() { print files }',
    `source ${await getScript('zsh')}`,
    String.raw`words=(daimon talk 'Ada\ t'); CURRENT=3; PREFIX='Ada\ t'; _daimon`,
    `words=(daimon restore ''); CURRENT=3; PREFIX=; _daimon`,
  ]
  assert.is(await runCommand('zsh', ['-fc', lines.join('\n')]), 'Ada the second\nfiles\n')
})

test('fish completes names, and files if there is no candidate', async () => {
  if (!(await isHere('fish'))) return
  const lines = [
    `source ${await getScript('fish')}`,
    String.raw`complete -C 'daimon talk Ada\ t'`,
    `complete -C 'daimon restore ada'`,
  ]
  assert.is(await runCommand('fish', ['-c', lines.join('\n')]), 'Ada the second\nada.diary\n')
})

test.run()
