/**
 * The disk is read-only: the daemon reports it and changes nothing. When the disk is writable again, all data
 * is there.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { printFigures } from '../ordeal.ts'
import { seedHome } from './seed-home.ts'
import { openSmallDisk } from './small-disk.ts'

/** Returns every file below a folder with its content. */
const readFiles = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder, { recursive: true })).sort()
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      if ((await stat(path)).isDirectory()) return []
      const hash = createHash('sha256').update(await readFile(path))
      return [`${name} ${hash.digest('hex')}`]
    }),
  )
  return entries.flat()
}

test('a daemon whose home is on a read-only disk logs one line and changes nothing; on a writable disk all data is there', async () => {
  const disk = await openSmallDisk(16)
  if (!disk) return printFigures('read-only disk', 'this user may not mount a disk', 'not tried')
  try {
    const [id = ''] = await seedHome(disk.home, createFakeClock(), 1)
    const personaPath = `/api/persona/${id}`
    const first = await disk.start()
    assert.is((await call(first.url, 'POST', `${personaPath}/start`)).status, 200)
    assert.is(
      (await call(first.url, 'POST', `${personaPath}/read?wait=30`, { message: 'My name is Mia.' })).status,
      200,
    )
    const talk = async (url: string) => (await call(url, 'GET', `${personaPath}/conversation`)).body.messages
    const talkBefore = await talk(first.url)

    assert.is((await first.kill('SIGTERM')).code, 0)
    await disk.remount('ro')
    const filesBefore = await readFiles(disk.home)
    const refusal = await disk.start().then(
      () => 'it started',
      (error: Error) => error.message,
    )
    assert.match(refusal, /^it ended with 1 .*the disk is read-only\. [^\n]*\n?$/)
    assert.equal(await readFiles(disk.home), filesBefore)

    await disk.remount('rw')
    const second = await disk.start()
    assert.equal(await talk(second.url), talkBefore)
    assert.is(
      (await call(second.url, 'POST', `${personaPath}/read?wait=30`, { message: 'What is my name?' })).status,
      200,
    )
    printFigures('read-only disk', 'one home', `${filesBefore.length} files unchanged`)
  } finally {
    await disk.close()
  }
})

test.run()
