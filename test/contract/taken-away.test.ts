/** A persona that is deleted during other requests: they get 404 and no other error. */
import { tmpdir } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ask } from '../http/try.ts'
import { shareSetup } from './setup.ts'
import { createFilePart, createUploads } from './uploads.ts'

const setup = shareSetup(test)
const { send } = createUploads(setup)

const paths = [
  'export',
  'export',
  'conversation',
  'memories',
  'diagnose',
  'calendar.ics',
  'usage',
  'search?q=hello',
]

// Fails with 500 AbortError, and with 500 and an absolute path of the machine.
test('returns 404 or aborts requests that meet a deletion, and reveals no path of the machine', async () => {
  const statusCounts = new Map<string, number>()
  for (let round = 0; round < 4; round++) {
    const personaPath = await setup.home()
    await setup.say(personaPath, 'hello')
    await send(
      personaPath,
      'attach',
      [createFilePart('attach', Buffer.alloc(round % 2 ? 2_000_000 : 1000))],
      '?wait=20',
    )
    const replies = Array.from({ length: 40 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n))
      const path = `${personaPath}/${paths[n % paths.length]}`
      return {
        path,
        ...(await ask(setup.daemon.port, { path, signal: AbortSignal.timeout(60_000) }).catch(() => ({
          status: 0,
          text: 'cut',
        }))),
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 5 * round))
    assert.equal(await setup.post(`${personaPath}/delete`), [200, null])
    for (const { path, status, text } of await Promise.all(replies)) {
      assert.ok([0, 200, 404].includes(status), `${path}: ${status} ${text.slice(0, 300)}`)
      if (status === 404) assert.is(text, '{"detail":"Persona not found."}')
      assert.not.ok(status !== 200 && text.includes(tmpdir()))
      statusCounts.set(`${status}`, (statusCounts.get(`${status}`) ?? 0) + 1)
    }
  }
  // The deletion met some of them.
  assert.ok(
    (statusCounts.get('404') ?? 0) > 0 && (statusCounts.get('200') ?? 0) > 0,
    JSON.stringify([...statusCounts]),
  )
})

test.run()
