/** After the death of its daemon a persona keeps its keys, files and diaries. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClosing } from '../../packages/kit/flow/closing.ts'
import { waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { startProcess } from '../process/daemon.ts'
import { type Body, call, create, createClusterEnv, say } from './daemons.ts'

const notes = 'The kite is in the cellar, behind the old green boat.\n'

const show = async (url: string, id: string, name: string, text: string): Promise<number> => {
  const form = new FormData()
  form.set('file', new Blob([text], { type: 'text/plain' }), name)
  return (await fetch(`${url}/api/persona/${id}/attach?wait=20`, { method: 'POST', body: form })).status
}

const readTalk = async (url: string, id: string): Promise<readonly Body[]> =>
  (await call(`${url}/api/persona/${id}/conversation`))[1].messages

withNats(test, () => {
  test('a taken-over persona has its keys, files and diaries, can be searched, and loses all of them on deletion', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const env = await createClusterEnv(nats.addresses, nats.servers[0]?.folder ?? '')
      const home = await tempHome()
      keep({ close: () => rm(home, { recursive: true, force: true }) })
      const first = await startProcess({ home, env })
      keep({
        close: async () => {
          first.child.kill('SIGKILL')
          await first.whenEnded
        },
      })
      const url = `http://127.0.0.1:${first.port}`
      const id = await create(url, 'Ada', { thinking_api_key: 'sk-of-ada' })
      assert.is(await show(url, id, 'notes.txt', notes), 200)
      assert.is((await say(url, id, 'My name is Mia.'))[0], 200)
      // No key is stored on this disk.
      assert.not.ok((await readdir(join(home, 'personas', id))).includes('secrets'))

      const second = keep(await startDaemon({ env }))
      first.child.kill('SIGKILL')
      await first.whenEnded
      // The list shows the dead host until its session expires.
      const secondView = await waitFor('the second to host it', async () => {
        const [status, body] = await call(`${second.url}/api/persona/${id}/diagnose`)
        return status === 200 && body
      })
      assert.is(secondView.organs.thinking.key_missing, undefined)
      assert.is(secondView.organs.thinking.state, 'well')
      assert.ok(secondView.diaries.kept >= 1, JSON.stringify(secondView.diaries))
      assert.ok(secondView.uptime)
      const { media } = (await readTalk(second.url, id)).find((item) => item.media)
      const file = await fetch(`${second.url}${media.url ?? `/api/persona/${id}/media/${media.filename}`}`)
      assert.is(await file.text(), notes)
      await waitFor('search to find it', async () => {
        const [status, { found: hits }] = await call(`${second.url}/api/persona/${id}/search?q=Mia`)
        return status === 200 && hits.length > 0
      })

      const verification = (await call(`${second.url}/api/persona/${id}/verify`, { method: 'POST' }))[1]
      assert.equal(
        [verification.media.missing, verification.media.damaged],
        [[], []],
        JSON.stringify(verification),
      )
      assert.is((await call(`${second.url}/api/persona/${id}/delete?purge=true`, { method: 'POST' }))[0], 200)
      for (const place of ['personas', 'diaries'])
        assert.not.ok((await readdir(join(second.home, place)).catch((): string[] => [])).includes(id), place)
    } finally {
      await close()
    }
  })

  test('refuses files while the servers do not answer', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const { url } = keep(
        await startDaemon({ env: await createClusterEnv(nats.addresses, nats.servers[0]?.folder ?? '') }),
      )
      const id = await create(url, 'Ada')
      nats.servers[0]?.signal('SIGSTOP')
      await waitFor('a file to be refused', async () => (await show(url, id, 'notes.txt', notes)) === 503)
      nats.servers[0]?.signal('SIGCONT')
      await waitFor(
        'a file to be taken',
        async () => (await show(url, id, 'notes.txt', notes)) === 200,
        60_000,
      )
    } finally {
      await close()
    }
  })
})

test.run()
