/** The stored diaries: their number, their age, and the state after a crash or on a full disk. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeptDiaries } from '../../home/kept-diaries.ts'
import { Unavailable, Unknown } from '../../journal/log/errors.ts'
import { waitFor } from '../calls.ts'
import { openSmallDisk } from '../ordeal/small-disk.ts'
import { printFigures } from '../ordeal.ts'
import { temporary } from './test-diary.ts'

const day = 24 * 60 * 60 * 1000
const start = Date.UTC(2026, 10, 21, 3, 15)
/** Disks in these tests never time out. */
const stopwatch = { wait: () => new Promise<void>(() => {}) }
const ownRecipient = 'age1mine'
const old = 'age1old'

const diariesIn = (home: string, limits = {}) => createKeptDiaries({ home, stopwatch, ...limits })
const diary = (n: number, recipient = ownRecipient) => ({ made: start + n * day, seq: 100 + n, recipient })
async function* ofBytes(size: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < size; offset += 1000) yield Buffer.alloc(Math.min(1000, size - offset), 1)
}
const namesIn = (home: string) => readdir(join(home, 'diaries', 'ada'))

test('keeps the last seven, newest first', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  assert.equal(await diaries.list('ada'), [])
  for (let n = 0; n < 9; n++) assert.is((await diaries.keep('ada', diary(n), ofBytes(2500))).bytes, 2500)
  const storedDiaries = await diaries.list('ada')
  assert.equal(
    storedDiaries.map(({ seq }) => seq),
    [108, 107, 106, 105, 104, 103, 102],
  )
  assert.is(storedDiaries[0]?.made, start + 8 * day)
  assert.ok((await namesIn(home)).includes(storedDiaries[0]?.path.split('/').at(-1) ?? ''))
  assert.match(
    storedDiaries[0]?.path ?? '',
    /diaries\/ada\/2026-11-29T031500-000000000108-[0-9a-f]{8}\.diary$/,
  )
  await rm(home, { recursive: true })
})

test('deletes old diaries to stay within the limit, and keeps the newest regardless of size', async () => {
  const home = await temporary()
  const diaries = diariesIn(home, { maxBytes: 5000 })
  for (let n = 0; n < 4; n++) await diaries.keep('ada', diary(n), ofBytes(2000))
  assert.equal(
    (await diaries.list('ada')).map(({ seq }) => seq),
    [103, 102],
  )
  await diaries.keep('ada', diary(4), ofBytes(9000))
  assert.equal(
    (await diaries.list('ada')).map(({ seq }) => seq),
    [104],
  )
  await rm(home, { recursive: true })
})

// Fails if the newest by name is kept.
test('keeps the newest diary even if a clock was set back', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  for (let n = 0; n < 7; n++) await diaries.keep('ada', diary(n), ofBytes(10))
  await diaries.keep('ada', { ...diary(-400), seq: 999 }, ofBytes(10))
  const storedDiaries = await diaries.list('ada')
  assert.is(storedDiaries.length, 7)
  assert.is(storedDiaries[0]?.seq, 999)
  await rm(home, { recursive: true })
})

// Fails if the newest by name are kept: only the last of the later diaries stayed.
test('keeps later diaries after a clock was a year ahead for a while', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  for (let n = 0; n < 3; n++)
    await diaries.keep('ada', { ...diary(n), made: start + (365 + n) * day }, ofBytes(10))
  for (let n = 3; n < 9; n++) await diaries.keep('ada', diary(n), ofBytes(10))
  assert.equal(
    (await diaries.list('ada')).map(({ seq }) => seq),
    [108, 107, 106, 105, 104, 103, 102],
  )
  await rm(home, { recursive: true })
})

test('finds diaries of an older phrase, and removes only those', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  await diaries.keep('ada', diary(0, old), ofBytes(10))
  await diaries.keep('ada', diary(1, old), ofBytes(10))
  await diaries.keep('ada', diary(2), ofBytes(10))
  assert.equal(
    (await diaries.list('ada')).map((keptDiary) => keptDiary.isFor(ownRecipient)),
    [true, false, false],
  )
  await diaries.removeOthers('ada', ownRecipient)
  assert.equal(
    (await diaries.list('ada')).map(({ seq }) => seq),
    [102],
  )
  await diaries.removeAll('ada')
  assert.equal(await diaries.list('ada'), [])
  await rm(home, { recursive: true })
})

test('never lists an unfinished diary, and deletes only it at the next start', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  await diaries.keep('ada', diary(0), ofBytes(10))
  const [name = ''] = await namesIn(home)
  const folder = join(home, 'diaries', 'ada')
  // Killed while writing, before the rename; and between the rename and the removal of old diaries.
  await writeFile(join(folder, `${name}.0f0f.tmp`), 'half')
  await writeFile(join(folder, 'notes of a person.txt'), 'mine')
  for (let n = 1; n < 12; n++)
    await writeFile(join(folder, name.replace(/^2026-11-21/, `2026-12-${n + 10}`)), 'whole')
  await mkdir(join(home, 'diaries', 'not a persona'))
  assert.is((await diaries.list('ada')).length, 12)
  await diaries.sweep()
  assert.not((await namesIn(home)).some((filename) => filename.endsWith('.tmp')))
  await diaries.keep('ada', { ...diary(40), seq: 200 }, ofBytes(10))
  assert.is((await diaries.list('ada')).length, 7)
  assert.ok((await namesIn(home)).includes('notes of a person.txt'))
  await rm(home, { recursive: true })
})

// Fails if the draft is written under its final name, or is left there.
test('a failed write leaves the other diaries unchanged', async () => {
  const home = await temporary()
  const diaries = diariesIn(home)
  await diaries.keep('ada', diary(0), ofBytes(10))
  const cause = new Error('her journal cannot be read')
  const throwError = async function* () {
    yield Buffer.alloc(100)
    throw cause
  }
  assert.is(await rejection(diaries.keep('ada', diary(1), throwError())), cause)
  await waitFor('the draft to be gone', async () => (await namesIn(home)).length === 1)
  assert.is((await diaries.list('ada')).length, 1)
  assert.instance(await rejection(diaries.list('../ada')), Unknown)
  await rm(home, { recursive: true })
})

test('a full disk refuses a new diary, keeps the old ones, and accepts one after space is freed', async () => {
  const disk = await openSmallDisk(4)
  printFigures('diary: full disk', disk ? 'a disk of its own' : 'this user may not mount one')
  if (!disk) return
  try {
    const diaries = diariesIn(disk.home)
    await diaries.keep('ada', diary(0), ofBytes(100_000))
    await disk.fill()
    assert.instance(await rejection(diaries.keep('ada', diary(1), ofBytes(1_000_000))), Unavailable)
    assert.equal(
      (await diaries.list('ada')).map(({ bytes }) => bytes),
      [100_000],
    )
    await disk.empty()
    await diaries.keep('ada', diary(1), ofBytes(1_000_000))
    assert.is((await diaries.list('ada')).length, 2)
  } finally {
    await disk.close()
  }
})

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test.run()
