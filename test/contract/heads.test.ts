/** Signed heads of a running daemon: on demand, at night, after an erasure, a fork and a restore. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compareWithWitness, openWitness } from '../../journal/heads/witness.ts'
import { readAudit } from '../audit-stream.ts'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { exportDiary, first, firstPhrase, migrate, unpacked } from './diaries.ts'
import { shareSetup } from './setup.ts'

const logLines: string[] = []
const setup = shareSetup(test, { newPhrase: firstPhrase, logTo: (line) => void logLines.push(line) })
const otherDaemon = shareSetup(test, { newPhrase: firstPhrase })
const quietDaemon = shareSetup(test, { env: { DAIMON_SIGN_HEADS: 'off' } })

const getId = (personaPath: string): string => personaPath.split('/')[3] ?? ''
const headsOf = (personaPath: string): string =>
  join(setup.daemon.home, 'personas', getId(personaPath), 'heads')

/** Compares the journal of a persona with a witness, as a third party with both can do. */
const compare = async (url: string, id: string, witness: string) => {
  const lines = await readAudit(url, id)
  const head = { seq: lines.length, hash: lines.at(-1)?.hash ?? '' }
  const hashAt = async (seq: number) => lines[seq - 1]?.hash
  return compareWithWitness({ head, firstBad: null, hashAt }, await openWitness(witness), null)
}

test('signs the head on demand, once, and lists it with its proof', async () => {
  const personaPath = await setup.home()
  assert.equal(await setup.get(`${personaPath}/heads`), [200, null])
  const [status, answer] = await setup.post(`${personaPath}/heads`)
  assert.equal([status, answer.signed, answer.head.index], [200, true, 0])
  const lines = await readAudit(setup.daemon.url, getId(personaPath))
  assert.is(lines[answer.head.seq - 1]?.hash, answer.head.hash)
  const answers = await Promise.all(Array.from({ length: 5 }, () => setup.post(`${personaPath}/heads`)))
  assert.ok(
    answers.every(([code, other]) => code === 200 && other.witness === answer.witness && !other.signed),
  )
  await setup.say(personaPath, 'hello')
  const [, next] = await setup.post(`${personaPath}/heads`)
  const [, list] = await setup.get(`${personaPath}/heads?since=1`)
  assert.equal([list.size, list.heads.length, list.keys.length], [2, 2, 1])
  assert.equal(list.heads[1], next.head)
  assert.is(list.consistency.length, 1)
  const [, { heads }] = await setup.get(`${personaPath}/diagnose`)
  assert.equal([heads.signed, heads.events], [2, next.head.seq])
  assert.ok((await compare(setup.daemon.url, getId(personaPath), answer.witness)).holds)
})

test('refuses invalid requests', async () => {
  const personaPath = await setup.home()
  assert.is((await setup.post('/api/persona/nobody/heads'))[0], 404)
  assert.is((await setup.get('/api/persona/nobody/heads'))[0], 404)
  for (const query of ['last=0', 'last=1001', 'last=x', 'since=0', 'since=-1'])
    assert.is((await setup.get(`${personaPath}/heads?${query}`))[0], 422, query)
  await setup.post(`${personaPath}/heads`)
  const [, { consistency }] = await setup.get(`${personaPath}/heads?since=99`)
  assert.equal(consistency, [])
})

test('signs at night, before the diary, which contains the log', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  assert.is((await setup.post(`${personaPath}/sleep`))[0], 200)
  const [, list] = await setup.get(`${personaPath}/heads`)
  assert.is(list.size, 1)
  const { manifest } = await unpacked(await exportDiary(setup.daemon, getId(personaPath)), first)
  assert.is(manifest.heads.checkpoint, list.checkpoint)
  assert.match(manifest.heads.keys, list.keys[0].key)

  const quietPath = await quietDaemon.home()
  await quietDaemon.say(quietPath, 'hello')
  assert.is((await quietDaemon.post(`${quietPath}/sleep`))[0], 200)
  assert.equal(await quietDaemon.get(`${quietPath}/heads`), [200, null])
  assert.not.ok((await readdir(quietDaemon.daemon.home)).includes('heads-key'))
})

test('erased words stay provable, and no file of the log contains them', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'my word is zanzibar')
  const [, { witness, head }] = await setup.post(`${personaPath}/heads`)
  const lines = await readAudit(setup.daemon.url, getId(personaPath))
  const seqs = lines
    .filter(({ payload }) => JSON.stringify(payload).includes('zanzibar'))
    .map(({ seq }) => seq)
  assert.ok(seqs.some((seq) => seq <= head.seq))
  const [status] = await setup.post(`${personaPath}/erase`, { seqs: seqs.slice(0, 1), also: true })
  assert.is(status, 200)
  const finding = await compare(setup.daemon.url, getId(personaPath), witness)
  assert.ok(finding.holds, finding.lines.join())
  for (const name of await readdir(headsOf(personaPath)))
    assert.not.match(await readFile(join(headsOf(personaPath), name), 'latin1'), /zanzibar|Ada/)
})

test('a fork matches the witness of its origin, and has a log of its own', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const [, { witness, head }] = await setup.post(`${personaPath}/heads`)
  const [, { persona }] = await setup.post(`${personaPath}/fork`, { name: 'Eva' })
  assert.ok((await compare(setup.daemon.url, persona.id, witness)).holds)
  assert.equal(await setup.get(`/api/persona/${persona.id}/heads`), [200, null])
  const [, own] = await setup.post(`/api/persona/${persona.id}/heads`)
  assert.equal([own.head.index, own.head.seq > head.seq], [0, true])
  // The origin has no facts of the fork.
  const other = await compare(setup.daemon.url, getId(personaPath), own.witness)
  assert.not(other.holds)
})

test('a restored persona continues the log of its diary with the key of its new home', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const [, { witness }] = await setup.post(`${personaPath}/heads`)
  const [status] = await migrate(otherDaemon.daemon, {
    diary: await exportDiary(setup.daemon, getId(personaPath)),
  })
  assert.is(status, 200)
  assert.ok((await compare(otherDaemon.daemon.url, getId(personaPath), witness)).holds)
  const [, before] = await otherDaemon.get(`${personaPath}/heads`)
  assert.equal([before.size, before.keys.length], [1, 1])
  await otherDaemon.post(`${personaPath}/heads`)
  const [, after] = await otherDaemon.get(`${personaPath}/heads`)
  assert.equal([after.origin, after.size, after.keys.length], [before.origin, 2, 2])
  assert.is(after.keys[0].key, before.keys[0].key)
  assert.is(after.keys[1].before, before.checkpoint)
})

test('reports a log that was rolled back, and does not sign it', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/heads`)
  const leavesFile = join(headsOf(personaPath), 'leaves')
  const early = await readFile(leavesFile)
  await setup.say(personaPath, 'hello')
  await setup.post(`${personaPath}/heads`)
  await setup.say(personaPath, 'hello again')
  const leaves = await readFile(leavesFile)
  await writeFile(leavesFile, early)
  for (const [status, { detail }] of [
    await setup.post(`${personaPath}/heads`),
    await setup.get(`${personaPath}/heads`),
  ]) {
    assert.is(status, 500)
    assert.match(detail, 'HeadsDamaged: The log of signed heads was rolled back')
  }
  // The night and the diary continue without it.
  assert.is((await setup.post(`${personaPath}/sleep`))[0], 200)
  assert.ok(logLines.some((line) => line.includes('failed to sign the head of a journal at night')))
  await writeFile(leavesFile, leaves)
  assert.is((await setup.post(`${personaPath}/heads`))[1].head.index, 2)
})

test('the answers and the log never contain the private key, and a deleted persona leaves no log', async () => {
  const personaPath = await setup.home()
  const [, answer] = await setup.post(`${personaPath}/heads`)
  const [, list] = await setup.get(`${personaPath}/heads`)
  const secret = (await readFile(join(setup.daemon.home, 'heads-key'), 'utf8')).split('\n')[1] ?? ''
  assert.ok(secret.length > 40)
  for (const text of [JSON.stringify(answer), JSON.stringify(list), logLines.join('\n')])
    assert.not.match(text, secret)
  const diary = await unpacked(await exportDiary(setup.daemon, getId(personaPath)), first)
  assert.not.match(JSON.stringify(diary.manifest), secret)
  assert.is((await setup.post(`${personaPath}/delete`, { purge: true }))[0], 200)
  assert.not.ok((await readdir(join(setup.daemon.home, 'personas'))).includes(getId(personaPath)))
})

test('warns in the log of the daemon when it signs with a new key', async () => {
  const home = await tempHome()
  const lines: string[] = []
  const withDaemon = async (work: (url: string) => Promise<void>) => {
    const daemon = await startDaemon({ home, logTo: (line) => void lines.push(line) })
    await work(daemon.url)
    await daemon.close()
  }
  let path = ''
  await withDaemon(async (url) => {
    const fields = { name: 'Ada', thinking_model: 'embedded/practice' }
    path = `/api/persona/${(await call(url, 'POST', '/api/persona/create', fields)).body.persona.id}/heads`
    await call(url, 'POST', path)
  })
  await rm(join(home, 'heads-key'))
  assert.not.ok(lines.some((line) => line.includes('a new key')))
  await withDaemon(async (url) => {
    await call(url, 'POST', path)
    assert.is((await call(url, 'GET', path)).body.keys.length, 2)
  })
  assert.is(lines.filter((line) => line.includes('a new key')).length, 1)
  await rm(home, { recursive: true })
})

test.run()
