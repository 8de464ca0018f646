/**
 * A disk that can only be read: the daemon says so and leaves it as it is, and with a disk that takes writes
 * all is there.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { tell } from '../ordeal.ts'
import { seed } from './seeded.ts'
import { openSmallDisk } from './small-disk.ts'

/** Every file with what is in it. */
const contents = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder, { recursive: true })).sort()
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      if ((await stat(path)).isDirectory()) return []
      const hash = createHash('sha256').update(await readFile(path))
      return [`${name} ${hash.digest('hex')}`]
    }),
  )
  return found.flat()
}

test('a daemon whose home is on a read-only disk says so in one line and changes nothing; with a disk that takes writes all is there', async () => {
  const disk = await openSmallDisk(16)
  if (!disk) return tell('read-only disk', 'nobody may mount a disk here', 'not tried')
  try {
    const [id = ''] = await seed(disk.home, createFakeClock(), 1)
    const at = `/api/persona/${id}`
    const first = await disk.start()
    assert.is((await call(first.url, 'POST', `${at}/start`)).status, 200)
    assert.is(
      (await call(first.url, 'POST', `${at}/read?wait=30`, { message: 'My name is Mia.' })).status,
      200,
    )
    const talk = async (url: string) => (await call(url, 'GET', `${at}/conversation`)).body.messages
    const said = await talk(first.url)

    assert.is((await first.kill('SIGTERM')).code, 0)
    await disk.remount('ro')
    const before = await contents(disk.home)
    const why = await disk.start().then(
      () => 'it started',
      (error: Error) => error.message,
    )
    assert.match(why, /^it ended with 1 .*the disk is read-only\. [^\n]*\n?$/)
    assert.equal(await contents(disk.home), before)

    await disk.remount('rw')
    const second = await disk.start()
    assert.equal(await talk(second.url), said)
    assert.is(
      (await call(second.url, 'POST', `${at}/read?wait=30`, { message: 'What is my name?' })).status,
      200,
    )
    tell('read-only disk', 'one home', `${before.length} files unchanged`)
  } finally {
    await disk.close()
  }
})

test.run()
