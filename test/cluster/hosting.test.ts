/** Daemons that share personas: each persona has one host, all daemons answer, and a stop transfers them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClosing } from '../../packages/kit/flow/closing.ts'
import { waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { call, create, createClusterEnv, listPersonas, say, waitUntilRunning } from './daemons.ts'

withNats(test, () => {
  test('every daemon serves every persona, and a leaving daemon transfers its personas', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const env = await createClusterEnv(nats.addresses, nats.servers[0]?.folder ?? '')
      const first = keep(await startDaemon({ env }))
      const second = keep(await startDaemon({ env }))
      const names = ['Ada', 'Bo', 'Cy', 'Di']
      const ids: string[] = []
      for (const [n, name] of names.entries()) ids.push(await create(n % 2 ? first.url : second.url, name))
      for (const { url } of [first, second]) await waitUntilRunning(url, names)
      assert.equal(
        (await listPersonas(first.url)).map(({ name }) => name),
        names,
      )
      const system = await listenTo(second.url, '/ws/system')
      for (const id of ids) {
        const [status, body] = await say(first.url, id, 'My name is Mia.')
        assert.is(status, 200, JSON.stringify(body))
        assert.match(body.reply.content, /Mia/)
      }
      const socket = await listenTo(second.url, `/ws/${ids[1]}`)
      await first.close()
      await waitUntilRunning(second.url, names)
      for (const id of ids) {
        const [status, body] = await say(second.url, id, 'What do you know about me?')
        assert.is(status, 200, JSON.stringify(body))
        assert.match(body.reply.content, /Mia/)
        const [, { messages }] = await call(`${second.url}/api/persona/${id}/conversation`)
        assert.is(messages.filter(({ role }: { role: string }) => role !== 'person').length, 2)
      }
      assert.ok(
        system.frames.some(({ type, persona_id }) => type === 'persona_changed' && ids.includes(persona_id)),
      )
      socket.leave()
      system.leave()
    } finally {
      await close()
    }
  })

  test('without the servers a daemon refuses commands, serves its cache, and recovers when they answer', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const [server] = nats.servers
      const { url } = keep(
        await startDaemon({ env: await createClusterEnv(nats.addresses, server?.folder ?? '') }),
      )
      const id = await create(url, 'Ada')
      assert.is((await say(url, id, 'My name is Mia.'))[0], 200)
      server?.signal('SIGSTOP')
      await waitFor('commands to be refused', async () => {
        const [status, { detail }] = await say(url, id, 'Are you there?', 'there')
        return status === 503 && /cut off from its cluster/.test(detail)
      })
      const [status, { messages }, headers] = await call(`${url}/api/persona/${id}/conversation`)
      assert.is(status, 200)
      assert.match(messages.map(({ content }: { content: string }) => content).join(), /Mia/)
      assert.ok(Number(headers.get('age')) > 0)
      assert.is((await listPersonas(url)).length, 1)
      server?.signal('SIGCONT')
      await waitFor(
        'an answer',
        async () => (await say(url, id, 'Are you there?', 'there'))[0] === 200,
        60_000,
      )
      const all = (await call(`${url}/api/persona/${id}/conversation`))[1].messages
      assert.is(all.length, 4)
    } finally {
      await close()
    }
  })
})

test.run()
