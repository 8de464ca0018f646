/** A media file whose bytes have changed is reported as damaged and never served. */
import { readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as media from '../stand-ins/media.ts'
import { type Answer, shareSetup } from './setup.ts'
import { createFilePart, createUploads, getPersonaId, uploadRoutes } from './uploads.ts'

const setup = shareSetup(test)
const { send, getUserMessages } = createUploads(setup)

const damagedBody = '{"detail":"MediaDamaged: the bytes of the file are not the ones that were stored."}'
const receivedReply: Answer = [200, 'received']

// Fails if the changed bytes are served with 200.
for (const endpoint of uploadRoutes)
  test(`${endpoint}: serves no byte of a file with one flipped bit, and serves the file again after it is restored`, async () => {
    const personaPath = await setup.home()
    const [status, body] = await send(
      personaPath,
      endpoint,
      [createFilePart(endpoint, media.png)],
      '?wait=20',
    )
    assert.equal([status, body.status], receivedReply)
    const { filename, url } = (await getUserMessages(personaPath))[0].media
    const path = join(setup.daemon.home, 'personas', getPersonaId(personaPath), 'media', filename)
    const goodBytes = await readFile(path)
    const { atime, mtime } = await stat(path)
    const get = (headers = {}, method = 'GET') => setup.send({ method, path: url, headers })
    assert.is((await get()).status, 200)
    const badBytes = Buffer.from(goodBytes)
    badBytes[20] = (badBytes[20] ?? 0) ^ 4
    await writeFile(path, badBytes)
    await utimes(path, atime, mtime)
    for (const headers of [{}, { Range: 'bytes=0-3' }]) {
      const { status, text } = await get(headers)
      assert.equal([status, text], [500, damagedBody])
    }
    assert.is((await get({}, 'HEAD')).status, 500)
    await writeFile(path, goodBytes)
    assert.is((await get({ Range: 'bytes=0-3' })).status, 206)
    await truncate(path, goodBytes.length - 1)
    assert.is((await get()).status, 500)
  })

test('serves a file that no fact names without a check', async () => {
  const personaPath = await setup.home()
  await send(personaPath, 'attach', [createFilePart('attach', media.png)], '?wait=20')
  const folder = join(setup.daemon.home, 'personas', getPersonaId(personaPath), 'media')
  await writeFile(join(folder, `${'0'.repeat(32)}.png`), media.png)
  assert.is((await setup.send({ path: `${personaPath}/media/${'0'.repeat(32)}.png` })).status, 200)
})

test.run()
