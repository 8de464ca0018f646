/** `daimon witness` and `daimon verify --signed`: through a daemon, without one, and for copies. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { call } from '../calls.ts'
import { exportDiary, first, firstPhrase } from '../contract/diaries.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { born, createMessageHeard, draft } from '../journal/facts.ts'
import { runDaimon } from './daemon.ts'

let home = ''
let ada = ''
let outside = ''
let witnessFile = ''
let diaryFile = ''
/** Runs a command. `words` are its standard input. */
const daimon = async (args: readonly string[], given: { home?: string; words?: string } = {}) => {
  const options = { home: given.home ?? home, args }
  if (given.words === undefined) return runDaimon(options).whenEnded
  const file = join(outside, 'words')
  await writeFile(file, `${given.words}\n`)
  return runDaimon({ ...options, redirect: `< ${file}`, realPhrases: true }).whenEnded
}

const journalIn = (folder: string) => join(folder, 'personas', ada, 'journal')
const unchangedLine =
  /^Nothing up to position \d+ \(\d+ [A-Z][a-z]+ \d{4}\) was changed since the witness was made\.\n/

test.before(async () => {
  home = await tempHome()
  outside = await tempHome()
  witnessFile = join(outside, 'ada.tlog-proof')
  diaryFile = join(outside, 'ada.diary')
  const daemon = await startDaemon({ home, newPhrase: firstPhrase })
  const fields = { name: 'Ada', thinking_model: 'embedded/practice' }
  ada = (await call(daemon.url, 'POST', '/api/persona/create', fields)).body.persona.id
  const before = await daimon(['verify', 'Ada', '--signed'])
  assert.equal([before.code, before.stdout], [1, 'No head was signed yet, and no witness file was given.\n'])
  await call(daemon.url, 'POST', `/api/persona/${ada}/heads`)
  await call(daemon.url, 'POST', `/api/persona/${ada}/read?wait=20`, { message: 'hello' })
  const { body } = await call(daemon.url, 'POST', `/api/persona/${ada}/heads`)
  await writeFile(witnessFile, body.witness)
  await call(daemon.url, 'POST', `/api/persona/${ada}/read?wait=20`, { message: 'and on' })
  await writeFile(diaryFile, await exportDiary(daemon, ada))

  const printed = await daimon(['--url', daemon.url, 'witness', 'Ada'])
  assert.match(printed.stdout, /^c2sp\.org\/tlog-proof@v1\nextra /)
  const byDaemon = await daimon(['verify', 'Ada', '--signed', witnessFile])
  assert.is(byDaemon.code, 0, byDaemon.stdout + byDaemon.stderr)
  assert.match(byDaemon.stdout, unchangedLine)
  assert.match(byDaemon.stdout, 'still has the 2 heads of the witness')
  assert.match((await daimon(['verify', 'Ada', '--signed'])).stdout, 'was changed since it was signed')
  await daemon.close()
})
test.after(async () => {
  for (const folder of [home, outside]) await rm(folder, { recursive: true })
})

test('verifies a home without a daemon', async () => {
  const { code, stdout } = await daimon(['verify', ada, '--signed', witnessFile])
  assert.is(code, 0)
  assert.match(stdout, unchangedLine)
  const asJson = await daimon(['--json', 'verify', ada, '--signed', witnessFile])
  assert.is(JSON.parse(asJson.stdout).holds, true)
})

test('verifies a copied journal and a diary without a home, and leaves the copy alone', async () => {
  const nowhere = join(outside, 'nowhere')
  const copy = join(outside, 'copy')
  await cp(journalIn(home), copy, { recursive: true })
  const current = await readFile(join(copy, 'CURRENT'))
  const byCopy = await daimon(['verify', copy, '--signed', witnessFile], { home: nowhere })
  assert.is(byCopy.code, 0, byCopy.stderr)
  assert.match(byCopy.stdout, unchangedLine)
  assert.equal(await readFile(join(copy, 'CURRENT')), current)
  const byDiary = await daimon(['verify', diaryFile, '--signed', witnessFile], {
    home: nowhere,
    words: first.phrase,
  })
  assert.is(byDiary.code, 0, byDiary.stderr)
  assert.match(byDiary.stdout, unchangedLine)
  assert.match(byDiary.stdout, 'still has the 2 heads of the witness')
})

test('detects a history that was rewritten with valid hashes', async () => {
  const forged = await tempHome()
  await mkdir(join(forged, 'personas'))
  const journals = openPersonaJournals({
    stores: await openHomeStores(forged),
    witness: async () => undefined,
  })
  const journal = await journals.create(ada, draft(born))
  for (let n = 0; n < 60; n++) await journal.append([draft(createMessageHeard(`other ${n}`))], journal.head)
  assert.ok((await journal.verify()).intact)
  await journal.close()
  const { code, stdout } = await daimon(['verify', journalIn(forged), '--signed', witnessFile])
  assert.is(code, 1)
  assert.match(
    stdout,
    /^History was rewritten: the journal differs from the head that was signed at position \d+ \(/,
  )
  await rm(forged, { recursive: true })
})

test('detects facts that were removed or damaged, and says up to where nothing was changed', async () => {
  const short = await tempHome()
  await mkdir(join(short, 'personas'))
  const journals = openPersonaJournals({
    stores: await openHomeStores(short),
    witness: async () => undefined,
  })
  const journal = await journals.create(ada, draft(born))
  await journal.close()
  const removal = await daimon(['verify', journalIn(short), '--signed', witnessFile])
  assert.is(removal.code, 1)
  assert.match(removal.stdout, 'Facts were removed: the journal ends at position 1')
  await rm(short, { recursive: true })

  const damaged = await tempHome()
  await cp(join(home, 'personas'), join(damaged, 'personas'), { recursive: true })
  await damageJournal(damaged, ada, 2)
  const broken = await daimon(['verify', journalIn(damaged), '--signed', witnessFile])
  assert.is(broken.code, 1)
  assert.match(broken.stdout, 'The journal is damaged from position 2 on.')
  await rm(damaged, { recursive: true })
})

test('refuses altered witnesses, other files and wrong words in one line', async () => {
  const altered = join(outside, 'altered')
  const witness = await readFile(witnessFile, 'utf8')
  await writeFile(altered, witness.replace(/index \d/, 'index 0'))
  const run = await daimon(['verify', ada, '--signed', altered])
  assert.equal([run.code, run.stdout], [1, ''])
  assert.is(run.stderr, 'daimon: The proof in the witness file is not valid: it was altered.\n')
  await writeFile(altered, 'hello')
  assert.is(
    (await daimon(['verify', ada, '--signed', altered])).stderr,
    'daimon: This is no witness file, or it was cut off.\n',
  )
  assert.is((await daimon(['verify', ada, '--signed', join(outside, 'none')])).code, 2)
  assert.is((await daimon(['verify', join(outside, 'none'), '--signed', witnessFile])).code, 2)
  assert.is((await daimon(['verify', '--signed', witnessFile])).code, 2)
  assert.is((await daimon(['verify', 'nobody', '--signed', witnessFile])).code, 1)
  const wrongWords = await daimon(['verify', diaryFile, '--signed', witnessFile], { words: 'a b c' })
  assert.is(wrongWords.code, 2)
  assert.is(wrongWords.stderr.trim().split('\n').length, 1)
  const noDiary = await daimon(['verify', altered, '--signed'], { words: first.phrase })
  assert.is(noDiary.code, 1)
  assert.is(noDiary.stderr.trim().split('\n').length, 1)
})

test.run()
