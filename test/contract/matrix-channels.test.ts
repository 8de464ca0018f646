/**
 * Matrix accounts over HTTP: login by token and by password, every error, stored secrets, and their
 * removal.
 */
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createSecret, filesWith } from '../secrets/search.ts'
import { createMatrixStandIn } from '../stand-ins/matrix.ts'
import { exportDiary, firstPhrase, migrate } from './diaries.ts'
import { shareSetup } from './setup.ts'

const matrix = await createMatrixStandIn()
matrix.register('ada')
const homeserver = matrix.url
const adaId = `@ada:${matrix.serverName}`
const password = 'ada-password'
const logLines: string[] = []
const setup = shareSetup(test, {
  newPhrase: firstPhrase,
  env: { DAIMON_LOG_LEVEL: 'trace' },
  logTo: (line) => logLines.push(line),
})
const { born, get, post, send, view } = setup
test.after(() => matrix.close())

const add = (id: string, credentials: unknown, kind: unknown = 'matrix') =>
  post(`/api/persona/${id}/channels`, { kind, credentials })
const remove = async (id: string, name: string) =>
  (await send({ method: 'DELETE', path: `/api/persona/${id}/channels/${encodeURIComponent(name)}` })).status
const refusal = (reason: string) => [400, { detail: `matrix validation failed: ${reason}` }]
const listCalls = (end: string) => matrix.log.filter(({ path }) => path.endsWith(end))
const isKnown = async (token: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${matrix.url}/_matrix/client/v3/account/whoami`, { headers })).ok
}
const listChannels = async (id: string) =>
  (await view(id)).channels.filter(({ type }: { type: string }) => type !== 'web')
const listFolders = (id: string) =>
  readdir(join(setup.daemon.home, 'personas', id, 'channels')).catch(() => [])

test('adds an account by its access token, and shows the homeserver in the raw record only', async () => {
  const id = await born()
  const token = matrix.createToken(adaId)
  const credentials = { token: ` ${token}\n`, homeserver: `${homeserver}/` }
  assert.equal(await add(id, credentials), [200, { kind: 'matrix' }])
  assert.equal(await listChannels(id), [{ type: 'matrix', name: adaId.slice(1), verified: false }])
  assert.equal(await filesWith(createSecret('token', token), setup.daemon.home), [`personas/${id}/secrets`])
  // The same token again changes nothing.
  assert.equal(await add(id, { token, homeserver: `${homeserver}/` }), [200, { kind: 'matrix' }])
  assert.is((await listChannels(id)).length, 1)
  await waitFor('the folder', async () => (await listFolders(id)).length === 1)
  const [folder = ''] = await listFolders(id)
  const { mode } = await stat(join(setup.daemon.home, 'personas', id, 'channels', folder))
  assert.is(mode & 0o777, 0o700)

  assert.is(await remove(id, adaId.slice(1)), 200)
  await waitFor('the folder to be removed', async () => (await listFolders(id)).length === 0)
  assert.equal(await filesWith(createSecret('token', token), setup.daemon.home), [])
  // The daemon did not begin this session, so it does not end it.
  assert.ok(await isKnown(token))
})

test('creates a persona with an account, and shows its credentials in the raw record', async () => {
  const token = matrix.createToken(adaId)
  const fields = { name: 'Uma', thinking_model: 'llama', matrix_token: token }
  const [status, { persona }] = await post('/api/persona/create', {
    ...fields,
    matrix_homeserver: homeserver,
  })
  assert.is(status, 200)
  assert.equal(persona.channels, [
    { type: 'matrix', name: adaId.slice(1), credentials: { token, homeserver }, verified_at: null },
  ])
  assert.equal(await post('/api/persona/create', fields), [
    400,
    { detail: 'Matrix validation failed: The address of the homeserver is missing.' },
  ])
  await waitFor('the folder', async () => (await listFolders(persona.id)).length === 1)
  const folders = await listFolders(persona.id)
  const diary = await exportDiary(setup.daemon, persona.id)
  const [migrated, body] = await migrate(setup.daemon, {
    diary,
    matrix_token: token,
    matrix_homeserver: homeserver,
  })
  assert.is(migrated, 200)
  assert.equal(body.persona.channels[0].credentials, { token, homeserver })
  // A restore makes a new channel, and the keys of the device are not used again.
  await waitFor('another folder', async () => {
    const foldersNow = await listFolders(persona.id)
    return foldersNow.length === 1 && foldersNow[0] !== folders[0]
  })
  await post(`/api/persona/${persona.id}/delete`)
})

test('signs in with a password once, and signs out when the channel is removed', async () => {
  const id = await born()
  assert.equal(await add(id, { homeserver, user: 'ada', password }), [200, { kind: 'matrix' }])
  const [session] = [...matrix.log].reverse().filter(({ path }) => path.endsWith('/login'))
  assert.equal(session?.body, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'ada' },
    password,
    initial_device_display_name: 'Daimon',
  })
  assert.equal(await filesWith(createSecret('password', password), setup.daemon.home), [])
  const logouts = listCalls('/logout').length
  assert.is(await remove(id, adaId.slice(1)), 200)
  await waitFor('the logout', () => listCalls('/logout').length === logouts + 1)
  const token = listCalls('/logout').at(-1)?.headers.authorization?.slice(7) ?? ''
  assert.match(token, /^syt_/)
  assert.not(await isKnown(token))
  for (const text of [...logLines, ...(await setup.facts(id))])
    assert.not.ok(text.includes(password) || text.includes(token), text)
})

test('uses the password once to upload cross-signing keys, and stores it nowhere', async () => {
  const secret = 'eve-password'
  const { id: eveId } = matrix.register('eve')
  const id = await born()
  assert.is((await add(id, { homeserver, user: 'eve', password: secret }))[0], 200)
  await waitFor('the identity', () => Boolean(matrix.server.users.get(eveId)?.crossSigning.master))
  const uploads = matrix.log.filter(({ body }) => JSON.stringify(body).includes(secret))
  assert.equal(
    uploads.map(({ path }) => path.split('/').slice(-2).join('/')),
    ['v3/login', 'device_signing/upload'],
  )
  assert.equal(await filesWith(createSecret('password', secret), setup.daemon.home), [])
  for (const text of [...logLines, ...(await setup.facts(id))]) assert.not.ok(text.includes(secret), text)
  assert.is(await remove(id, eveId.slice(1)), 200)
})

test('signs out when the persona is stopped or deleted, and when a new session replaces the old one', async () => {
  const id = await born()
  const credentials = { homeserver, user: adaId, password }
  const countLogouts = () => listCalls('/logout').length
  assert.is((await add(id, credentials))[0], 200)
  let count = countLogouts()
  assert.is((await add(id, credentials))[0], 200)
  await waitFor('the logout of the old session', () => countLogouts() === count + 1)
  const listDevices = async () => {
    const [channel = ''] = await listFolders(id)
    const names = await readdir(join(setup.daemon.home, 'personas', id, 'channels', channel))
    return names.filter((name) => name.startsWith('device-'))
  }
  await waitFor('the keys of the old device to be removed', async () => (await listDevices()).length === 1)
  assert.is((await listChannels(id)).length, 1)
  await post(`/api/persona/${id}/stop`)
  count = countLogouts()
  assert.is(await remove(id, adaId.slice(1)), 200)
  await waitFor('the logout of a stopped persona', () => countLogouts() === count + 1)
  assert.is((await add(id, credentials))[0], 200)
  count = countLogouts()
  assert.is((await post(`/api/persona/${id}/delete`))[0], 200)
  await waitFor('the logout of a deleted persona', () => countLogouts() === count + 1)
  assert.equal(await listFolders(id), [])
})

test('ends the new session if the channel is not added', async () => {
  const id = await born()
  matrix.faults.next.push({ on: /whoami/, fault: { status: 500, body: 'proxy' } })
  const count = listCalls('/logout').length
  assert.equal(
    await add(id, { homeserver, user: 'ada', password }),
    refusal('The homeserver answered with status 500.'),
  )
  await waitFor('the logout', () => listCalls('/logout').length === count + 1)
  assert.equal(await listChannels(id), [])
})

test('removes a channel whose homeserver is gone', async () => {
  const other = await createMatrixStandIn()
  other.register('eva')
  const id = await born()
  const credentials = { homeserver: other.url, user: 'eva', password: 'eva-password' }
  assert.is((await add(id, credentials))[0], 200)
  await other.close()
  assert.is(await remove(id, `eva:${other.serverName}`), 200)
  assert.equal(await listChannels(id), [])
})

test('names the missing and wrong fields', async () => {
  const id = await born()
  const fields = async (credentials: unknown, kind: unknown = 'matrix') => {
    const [status, { detail }] = await add(id, credentials, kind)
    return [
      status,
      ...detail.map(({ type, loc }: { type: string; loc: string[] }) => `${loc.join('.')} ${type}`),
    ]
  }
  const at = 'body.credentials'
  assert.equal(await fields({}), [422, `${at}.token missing`, `${at}.homeserver missing`])
  assert.equal(await fields({ homeserver }), [422, `${at}.token missing`])
  assert.equal(await fields({ token: 'x' }), [422, `${at}.homeserver missing`])
  assert.equal(await fields({ homeserver, user: 'ada' }), [422, `${at}.password missing`])
  assert.equal(await fields({ user: 'ada', password }), [422, `${at}.homeserver missing`])
  assert.equal(await fields({ homeserver: 5, token: [], user: {}, password: null }), [
    422,
    `${at}.token string_type`,
    `${at}.homeserver string_type`,
    `${at}.user string_type`,
    `${at}.password string_type`,
  ])
  assert.equal(await fields('x'), [422, `${at} dict_type`])
  assert.equal(await fields({ homeserver, user: 'ada', password }, 'telegram'), [422, `${at}.token missing`])
  const reply = await send({
    method: 'POST',
    path: `/api/persona/${id}/channels`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 5, credentials: { user: 'ada', password } }),
  })
  assert.is(reply.status, 422)
  assert.not(reply.text.includes(password))
})

test('refuses wrong credentials and addresses with a sentence, and stores nothing', async () => {
  const id = await born()
  const factsBefore = await setup.facts(id)
  const wrongToken = 'syt_wrong_token_0123456789'
  for (const [credentials, reason] of [
    [
      { homeserver, token: wrongToken },
      'The homeserver does not know this access token. Copy it again, or sign in with a user name and a password.',
    ],
    [
      { homeserver, user: 'ada', password: 'not-the-password' },
      'The homeserver refuses this user name or this password.',
    ],
    [{ homeserver, token: 'two words' }, 'This is not an access token.'],
    [{ homeserver, token: 'x'.repeat(5000) }, 'This is not an access token.'],
    [{ homeserver, token: 'x', password }, 'Give an access token or a password, not both.'],
    [{ homeserver, token: '' }, 'Give an access token, or a user name and a password.'],
    [{ homeserver, user: 'ada', password: '' }, 'Give an access token, or a user name and a password.'],
    [{ homeserver: ' ', token: 'x' }, 'The address of the homeserver is missing.'],
    [
      { homeserver: 'http://matrix.example.org', token: 'x' },
      'An address that begins with http:// sends the token unencrypted. Use https://.',
    ],
    [
      { homeserver: 'two words', token: 'x' },
      'Give the address of the homeserver, such as https://matrix.example.org, or its name, such as example.org.',
    ],
    [
      { homeserver, user: 'ada', password: 'x'.repeat(600) },
      'The address, the user name and the password have at most 512 characters.',
    ],
  ] as const)
    assert.equal(await add(id, credentials), refusal(reason))
  assert.equal(await listChannels(id), [])
  // `facts` itself writes one fact.
  assert.is((await setup.facts(id)).length, factsBefore.length + 1)
  assert.not.ok(logLines.some((line) => line.includes(wrongToken) || line.includes('not-the-password')))
})

test('answers with a sentence when the homeserver fails in any way', async () => {
  const id = await born()
  const token = matrix.createToken(adaId)
  const failing = async (fault: (typeof matrix.faults.next)[number]['fault']) => {
    matrix.faults.next.push({ on: /whoami/, fault })
    return add(id, { homeserver, token })
  }
  assert.equal(
    await failing({ status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: '', retry_after_ms: 2000 } }),
    refusal('The homeserver accepts no more requests for 2 s. Try again then.'),
  )
  assert.equal(
    await failing({ status: 400, body: { errcode: 'M_ODD', error: `no ${token} here\n` } }),
    refusal('The homeserver refused it: no *** here (M_ODD).'),
  )
  const unlike = refusal(`The server at ${matrix.serverName} does not answer like a homeserver.`)
  for (const body of [{}, [], null, { user_id: 5 }, { user_id: 'ada' }, { user_id: '@ada:x y' }])
    assert.equal(await failing({ lie: () => body }), unlike)
  const [status, { detail }] = await failing('half')
  assert.is(status, 400)
  assert.match(detail, /^matrix validation failed: The homeserver could not be reached/)
  assert.match((await failing('close'))[1].detail, /could not be reached/)
  assert.match((await failing('huge'))[1].detail, /longer than 20 MiB/)
  assert.equal(await listChannels(id), [])
})

test('says if nothing answers at the address', async () => {
  const id = await born()
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const [status, { detail }] = await add(id, { homeserver: `http://127.0.0.1:${port}`, token: 'x' })
  assert.is(status, 400)
  assert.match(detail, /^matrix validation failed: The homeserver could not be reached: /)
  await new Promise((resolve) => server.close(resolve))
})

test('gives one account to one persona at a time, also with two devices', async () => {
  const [first, second] = [await born(), await born()]
  assert.is((await add(first, { homeserver, token: matrix.createToken(adaId) }))[0], 200)
  assert.is((await add(second, { homeserver, token: matrix.createToken(adaId) }))[0], 200)
  const reason = await waitFor(
    'the reason',
    async () => (await get(`/api/persona/${second}/diagnose`))[1].channels[0].reason ?? undefined,
  )
  assert.is(reason, 'this bot is already used by Ada')
  for (const id of [first, second]) await post(`/api/persona/${id}/delete`)
})

test('keeps credentials out of the view, the facts and the diagnosis', async () => {
  const id = await born()
  const token = matrix.createToken(adaId)
  assert.is((await add(id, { homeserver, token }))[0], 200)
  for (const path of ['/api/personas', `/api/persona/${id}/diagnose`, `/api/persona/${id}/history`])
    assert.not((await send({ path })).text.includes(token), path)
  for (const text of [...(await setup.facts(id)), ...logLines]) assert.not(text.includes(token), text)
  await post(`/api/persona/${id}/delete`)
})

test.run()
