/** A home of another version: the log line about it, erasing and deleting in its copy, and the downgrade. */
import { execFileSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFormat, writeHomeVersion } from '../../home/home-version.ts'
import { call } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { runDaimon } from '../process/daemon.ts'
import { filesHolding } from '../words-on-disk.ts'

const secretWord = 'quinquireme'

const startedDaemons: TestDaemon[] = []
const start = async (home: string, logTo: (line: string) => void = () => {}): Promise<TestDaemon> => {
  const daemon = await startDaemon({ home, logTo })
  startedDaemons.push(daemon)
  return daemon
}
test.after.each(async () => {
  for (const daemon of startedDaemons.splice(0)) await daemon.close()
})

const createPersona = async (url: string, name: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id
const say = (url: string, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const getTalk = async (url: string, id: string): Promise<readonly { id: number; content: string }[]> =>
  (await call(url, 'GET', `/api/persona/${id}/conversation?limit=100`)).body.messages

/** Creates a home with two personas as an older daemon left it. */
const createOldHome = async () => {
  const home = await tempHome()
  const { url, close } = await start(home)
  const ada = await createPersona(url, 'Ada')
  const bea = await createPersona(url, 'Bea')
  for (const id of [ada, bea]) await say(url, id, `My boat is a ${secretWord}.`)
  const talk = await getTalk(url, ada)
  await close()
  await writeHomeVersion(home, { format: homeFormat - 1, daemon: '0.0.9' })
  return { home, ada, bea, talk }
}

const listCopied = async (home: string): Promise<readonly string[]> => {
  const [name = ''] = await readdir(join(home, 'upgrades'))
  return (await readdir(join(home, 'upgrades', name, 'personas'))).sort()
}

test('copies the home before the first start of another version and logs it in one line', async () => {
  const { home, ada, bea, talk } = await createOldHome()
  const lines: string[] = []
  const daemon = await start(home, (line) => lines.push(line))
  const copyLines = lines.filter((line) => line.includes('upgrades'))
  assert.is(copyLines.length, 1)
  assert.match(
    copyLines[0] ?? '',
    /last opened by daimon 0\.0\.9: a copy of the journals and files of 2 personas/,
  )
  assert.equal(await listCopied(home), [ada, bea].sort())
  assert.equal(await getTalk(daemon.url, ada), talk)
  await daemon.close()
  const laterLines: string[] = []
  await (await start(home, (line) => laterLines.push(line))).close()
  assert.not.ok(laterLines.some((line) => line.includes('upgrades')))
  await rm(home, { recursive: true })
})

// Fails if copies are not included: the word is then in the copied log.
test('erases words and deletes personas in the copies, too', async () => {
  const { home, ada, bea, talk } = await createOldHome()
  const daemon = await start(home)
  const seqs = talk.filter(({ content }) => content.includes(secretWord)).map(({ id }) => id)
  const eraseFields = { seqs, also: true, diaries: true }
  assert.is((await call(daemon.url, 'POST', `/api/persona/${ada}/erase`, eraseFields)).status, 200)
  assert.equal(await listCopied(home), [bea])
  assert.ok((await filesHolding(home, secretWord)).every((path) => path.includes(bea)))
  assert.is((await call(daemon.url, 'POST', `/api/persona/${bea}/delete?purge=true`)).status, 200)
  assert.equal(await listCopied(home), [])
  await daemon.close()
  assert.equal(await filesHolding(home, secretWord), [])
  assert.equal(await filesHolding(home, 'Bea'), [])
  await rm(home, { recursive: true })
})

test('restores all personas with their keys by the downgrade steps in the docs', async () => {
  const { home, ada, talk } = await createOldHome()
  const page = await readFile('docs/how-to/upgrading.md', 'utf8')
  const commands = /```sh\n(cd [\s\S]*?)```/.exec(page)?.[1] ?? ''
  const daemon = await start(home)
  await say(daemon.url, ada, 'And on.')
  await daemon.close()
  await writeFile(join(home, 'personas', ada, 'secrets'), 'kept')
  execFileSync('sh', ['-ec', commands], { env: { ...process.env, DAIMON_HOME: home } })
  assert.is(await readFile(join(home, 'personas', ada, 'secrets'), 'utf8'), 'kept')
  const restartedDaemon = await start(home)
  assert.equal(await getTalk(restartedDaemon.url, ada), talk)
  await restartedDaemon.close()
  await rm(home, { recursive: true })
})

test('refuses a home of a newer daemon with exit code 5 in every command that opens it', async () => {
  const { home } = await createOldHome()
  await writeHomeVersion(home, { format: homeFormat + 1, daemon: '9.0.0' })
  for (const args of [['--port', '0'], ['serve', '--port', '0'], ['verify'], ['rebuild']]) {
    const { code, stdout, stderr } = await runDaimon({ home, args }).whenEnded
    assert.equal([code, stdout], [5, ''], args.join(' '))
    assert.match(stderr, /^daimon: the home \S+ was last opened by daimon 9\.0\.0 \(format \d+\).*\n$/)
  }
  await rm(home, { recursive: true })
})

test.run()
