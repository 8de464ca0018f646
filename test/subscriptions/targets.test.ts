/** Where webhooks may be, and receivers that are slow, wrong or hostile. */
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { openReceiver } from './receiver.ts'
import { createPersona, put, remember, show, start, subscriptionSuite, waitUntilDelivered } from './setup.ts'

const test = subscriptionSuite('targets of webhooks')

test('delivers to loopback addresses and names, without a name server', async (world) => {
  const { receiver } = world
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return [{ address: '203.0.113.7', family: 4 }]
  }
  const daemon = await start(world, { reach: { resolve } })
  const ada = await createPersona(daemon)
  const ipv6Receiver = await openReceiver('::1')
  world.ends.push(ipv6Receiver.close)
  const targets = [
    `http://localhost:${receiver.port}`,
    `http://a.localhost:${receiver.port}`,
    `http://[::1]:${ipv6Receiver.port}`,
  ]
  for (const [n, url] of targets.entries())
    assert.is((await put(daemon, `target-${n}`, { webhook: { url } })).status, 200)
  await remember(daemon, ada, 'Likes tea.')
  for (const n of targets.keys()) await waitUntilDelivered(daemon, `target-${n}`)
  assert.ok(receiver.accepted.length >= 2 && ipv6Receiver.accepted.length >= 1)
  assert.equal(asked, [])
})

test('refuses addresses that are not listed, and wrong ones', async (world) => {
  const daemon = await start(world, { env: { DAIMON_WEBHOOK_HOSTS: 'hooks.example.com, 192.0.2.9' } })
  const wrong = [
    'http://example.com/',
    'http://evil.hooks.example.com/',
    'http://192.168.1.1/',
    'http://0.0.0.0:8080/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://ada:secret@127.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'facts',
    '',
  ]
  for (const url of wrong) {
    const { status, body } = await put(daemon, 'wrong', { webhook: { url } })
    assert.is(status, 422, url)
    assert.equal(body.detail[0].loc, ['body', 'webhook', 'url'])
  }
  for (const url of ['https://hooks.example.com/a', 'http://192.0.2.9:8080/', 'http://2130706433/'])
    assert.is((await put(daemon, 'right', { webhook: { url } })).status, 200, url)
  assert.equal((await call(daemon.url, 'GET', '/api/subscriptions')).body.subscriptions.length, 1)
})

test('does not reach a listed name that leads to this machine or the home network', async (world) => {
  const { receiver } = world
  let address = '127.0.0.1'
  const daemon = await start(world, {
    env: { DAIMON_WEBHOOK_HOSTS: 'hooks.example.com' },
    reach: { resolve: async () => [{ address, family: 4 }] },
  })
  await createPersona(daemon)
  await put(daemon, 'rebound', {
    webhook: { url: `http://hooks.example.com:${receiver.port}/?token=sesame` },
    start: 'beginning',
  })
  for (address of ['127.0.0.1', '192.168.1.1', '10.0.0.1']) {
    await call(daemon.url, 'POST', '/api/subscriptions/rebound/retry')
    await waitFor('a failure', async () => (await show(daemon, 'rebound')).state === 'failing')
    assert.match((await show(daemon, 'rebound')).reason, /not one of the public internet/)
  }
  assert.equal(receiver.requests, [])
  const { webhook } = await show(daemon, 'rebound')
  assert.is(webhook.url, `http://hooks.example.com:${receiver.port}/?***`)
  assert.not.match(world.lines.join(), /sesame/)
})

test('never calls the daemon itself', async (world) => {
  const daemon = await start(world)
  await createPersona(daemon)
  await put(daemon, 'self', { webhook: { url: `${daemon.url}/api/persona/create` }, start: 'beginning' })
  await waitFor('a failure', async () => (await show(daemon, 'self')).state === 'failing')
  assert.match((await show(daemon, 'self')).reason, /address of Daimon itself/)
  assert.is((await call(daemon.url, 'GET', '/api/personas')).body.personas.length, 1)
})

test('does not follow redirects, and takes 2xx as accepted even if the body is too long, incomplete or wrong', async (world) => {
  const { receiver } = world
  const other = await openReceiver()
  world.ends.push(other.close)
  receiver.answers.push([307, { location: other.url }])
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'liar', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor('a failure', async () => (await show(daemon, 'liar')).state === 'failing')
  assert.match((await show(daemon, 'liar')).reason, /sends the call elsewhere/)
  assert.equal(other.requests, [])
  const lies: (typeof receiver.answers)[number][] = [
    (response) => response.writeHead(200).end('x'.repeat(500_000)),
    // Never ends.
    (response) => response.writeHead(200).write('x'),
    // Ends in the middle.
    (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x')
      setImmediate(() => response.destroy())
    },
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
  ]
  for (const lie of lies) {
    receiver.answers.push(lie)
    const countBefore = receiver.requests.length
    await call(daemon.url, 'POST', '/api/subscriptions/liar/retry')
    await remember(daemon, ada, `Lie ${countBefore}.`)
    await waitUntilDelivered(daemon, 'liar')
    assert.ok(receiver.requests.length > countBefore)
  }
  const seqs = receiver.requests.slice(1).flatMap(({ data }) => data.facts.map(({ seq }) => seq))
  assert.equal(
    seqs,
    [...seqs].sort((a, b) => a - b),
  )
  assert.is(new Set(seqs).size, seqs.length)
})

test('sends again after a cut connection, and while no one listens', async (world) => {
  const { receiver } = world
  receiver.answers.push((response) => response.destroy())
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  const ada = await createPersona(daemon)
  await put(daemon, 'cut', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor('a failure', async () => (await show(daemon, 'cut')).state === 'failing')
  assert.match((await show(daemon, 'cut')).reason, /the connection was cut/)
  await receiver.close()
  await waitFor('another failure', async () => {
    await clock.advance(10_000)
    return /nothing answers there/.test((await show(daemon, 'cut')).reason)
  })
  const back = await openReceiver('127.0.0.1', receiver.port)
  world.ends.push(back.close)
  world.receiver = back
  await waitFor('it is accepted', async () => {
    await clock.advance(10_000)
    return back.facts(ada).length > 0
  })
  assert.is(back.accepted[0]?.id, receiver.requests[0]?.id)
})

test('does not let a receiver that never answers delay others or the end', async (world) => {
  const { receiver } = world
  receiver.usual = () => {}
  const quick = await openReceiver()
  world.ends.push(quick.close)
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'silent', { webhook: { url: receiver.url }, start: 'beginning' })
  await put(daemon, 'quick', { webhook: { url: quick.url }, start: 'beginning' })
  await waitFor('a request', () => receiver.requests.length > 0)
  await remember(daemon, ada, 'Likes tea.')
  await waitUntilDelivered(daemon, 'quick')
  const startedAt = performance.now()
  await daemon.close()
  // The request would time out after 15 s.
  assert.ok(performance.now() - startedAt < 10_000)
})

test('refuses wrong definitions', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const webhook = { url: receiver.url }
  const wrong: readonly (readonly [string, unknown])[] = [
    ['Upper', { webhook }],
    ['a'.repeat(65), { webhook }],
    ['a%2fb', { webhook }],
    ['x', {}],
    ['x', { webhook, pull: true }],
    ['x', { pull: false }],
    ['x', { webhook, kinds: ['Nothing'] }],
    ['x', { webhook, kinds: [] }],
    ['x', { webhook, personas: ['nobody'] }],
    ['x', { webhook, personas: 'all' }],
    ['x', { webhook, max_attempts: 0 }],
    ['x', { webhook, start: 'later' }],
    ['x', { webhook: { ...webhook, secret: 'short' } }],
    ['x', { webhook: { ...webhook, secret: `whsec_${Buffer.alloc(23).toString('base64')}` } }],
    ['x', { webhook: 5 }],
    ['x', []],
    ['x', null],
  ]
  for (const [name, body] of wrong) {
    const { status } = await call(daemon.url, 'PUT', `/api/subscriptions/${name}`, body)
    assert.is(status, 422, JSON.stringify([name, body]))
  }
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/dead'],
    ['GET', '/facts'],
    ['POST', '/retry'],
    ['DELETE', '/dead/x'],
  ] as const)
    assert.is(
      (await call(daemon.url, method, `/api/subscriptions/none${path}`)).status,
      404,
      `${method} ${path}`,
    )
  const ada = await createPersona(daemon)
  const replay = { persona_id: ada, after: 0 }
  assert.is((await call(daemon.url, 'POST', '/api/subscriptions/none/replay', replay)).status, 404)
  for (let n = 0; n < 64; n++) assert.is((await put(daemon, `n${n}`, { pull: true })).status, 200)
  assert.is((await put(daemon, 'n64', { pull: true })).status, 409)
  assert.is((await put(daemon, 'n63', { pull: true })).status, 200)
})

test.run()
