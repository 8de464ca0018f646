/** OAuth against a stand-in: the address to open, and tokens that are stored, refreshed and never shown. */
import { request } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpConfig } from '../server-config.ts'
import { ServerTrouble } from '../trouble.ts'
import { createAuthorizationServer } from './authorization-server.ts'
import {
  createHouse,
  endAll,
  getWords,
  type House,
  http,
  memoryStore,
  neverSignal,
  refTo,
  secret,
  type World,
} from './servers.ts'

const test = suite<World>('authorization of servers', { ends: [] })
test.after.each(endAll)

const waitUntil = async (isSo: () => boolean): Promise<void> => {
  for (let n = 0; n < 300 && !isSo(); n++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.ok(isSo())
}

const setUp = async (world: World, oauth?: HttpConfig['oauth']) => {
  const authorizationServer = await createAuthorizationServer(world)
  const house = await createHouse(world)
  const auth = memoryStore()
  const config = { ...http(authorizationServer.url), oauth } as HttpConfig
  const ref = refTo(config, { auth })
  return {
    there: authorizationServer,
    house,
    auth,
    ref,
    ready: () => house.servers.view(house.id, ref).state === 'ready',
  }
}

const assertNoSecrets = async (house: House, secrets: readonly string[], extraData: unknown) => {
  const shownText = `${JSON.stringify(house.logged)}${await house.onDisk()}${JSON.stringify(extraData)}`
  for (const secret of secrets) assert.not.ok(shownText.includes(secret), 'a secret is shown')
}

test('asks the user to open an address, and is ready after that', async (world) => {
  const { there, house, auth, ref, ready } = await setUp(world)
  const { servers, id } = house
  const view = await servers.listed(id, ref, 8000)
  assert.is(view.state, 'off')
  assert.match(view.reason ?? '', /has to be authorized first/)
  const address = new URL(view.authorize ?? '')
  assert.match(address.searchParams.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  assert.is(address.searchParams.get('resource'), there.url)
  // A second call returns the same address.
  const callError = await servers.call(id, ref, 'echo', {}, neverSignal).catch((error: unknown) => error)
  assert.ok(callError instanceof ServerTrouble && callError.kind === 'authorize' && !callError.sent)
  assert.is(servers.view(id, ref).authorize, address.href)

  const page = await there.allow(address.href)
  assert.is(page.status, 200)
  assert.match(await page.text(), /You can close this page/)
  await waitUntil(ready)
  assert.is(servers.view(id, ref).authorize, null)
  assert.is(getWords(await servers.call(id, ref, 'echo', {}, neverSignal)), 'done with ***')
  assert.equal(there.asked, ['register', `token authorization_code for ${there.url}`])
  assert.ok(there.secrets.filter((secret) => auth.text?.includes(secret)).length === 2)
  await assertNoSecrets(house, there.secrets, servers.view(id, ref))
})

test('refreshes a rejected token once, and asks the user again if the refresh is rejected', async (world) => {
  const { there, house, auth, ref, ready } = await setUp(world)
  const { servers, id } = house
  await there.allow((await servers.listed(id, ref, 8000)).authorize ?? '')
  await waitUntil(ready)
  there.expire('access')
  assert.is((await servers.call(id, ref, 'echo', {}, neverSignal)).ok, true)
  assert.ok(there.asked.includes(`token refresh_token for ${there.url}`))

  there.expire('access')
  there.expire('refresh')
  const callError = await servers.call(id, ref, 'echo', {}, neverSignal).catch((error: unknown) => error)
  assert.ok(callError instanceof ServerTrouble && callError.kind === 'authorize', `${callError}`)
  const { authorize } = servers.view(id, ref)
  assert.ok(authorize)
  assert.not.match(auth.text ?? '', /"tokens"/)
  await assertNoSecrets(house, there.secrets, [servers.view(id, ref), `${callError}`])
  await there.allow(authorize ?? '')
  await waitUntil(() => servers.view(id, ref).authorize === null)
  assert.is((await servers.call(id, ref, 'echo', {}, neverSignal)).ok, true)
})

test('reuses stored tokens after a restart', async (world) => {
  const { there, house, ref, ready } = await setUp(world)
  await there.allow((await house.servers.listed(house.id, ref, 8000)).authorize ?? '')
  await waitUntil(ready)
  await house.servers.close()
  assert.is((await house.again().call(house.id, ref, 'echo', {}, neverSignal)).ok, true)
})

test('sends a manually registered client and its secret only to the first authorization server', async (world) => {
  const { there, house, auth, ref, ready } = await setUp(world, {
    client_id: 'by-hand',
    client_secret: secret,
  })
  const { servers, id } = house
  await there.allow((await servers.listed(id, ref, 8000)).authorize ?? '')
  await waitUntil(ready)
  assert.not.ok(there.asked.includes('register'))
  const other = await createAuthorizationServer(world)
  there.issuer = other.issuer
  auth.text = JSON.stringify({ ...JSON.parse(auth.text ?? ''), tokens: undefined })
  there.expire('access')
  await servers.close()
  const view = await house.again().probe(id, ref, neverSignal)
  assert.match(view.reason ?? '', /names another authorization server than before/)
  assert.equal(other.asked, [])
  assert.not.match(JSON.stringify(house.logged), /marked-secret/)
})

// Verified to fail if any state is accepted.
test('keeps waiting when a request has another state', async (world) => {
  const { there, house, ref, ready } = await setUp(world)
  const { authorize } = await house.servers.listed(house.id, ref, 8000)
  const redirectUrl = new URL(new URL(authorize ?? '').searchParams.get('redirect_uri') ?? '')
  for (const path of ['/', '/callback', '/callback?code=forged&state=guess', '/callback?state='])
    assert.is((await fetch(new URL(path, redirectUrl))).status, 404)
  const rebound = await new Promise<number | undefined>((resolve) =>
    request(redirectUrl, { headers: { host: 'evil.example' } }, ({ statusCode }) =>
      resolve(statusCode),
    ).end(),
  )
  assert.is(rebound, 404)
  await there.allow(authorize ?? '')
  await waitUntil(ready)
  assert.is(
    await fetch(redirectUrl).then(
      () => 'open',
      () => 'closed',
    ),
    'closed',
  )
})

test('reports a refused authorization with its reason', async (world) => {
  const { house, ref } = await setUp(world)
  const { servers, id } = house
  const { authorize } = await servers.listed(id, ref, 8000)
  const { searchParams } = new URL(authorize ?? '')
  const redirectUrl = new URL(searchParams.get('redirect_uri') ?? '')
  redirectUrl.search = String(
    new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' }),
  )
  assert.match(await (await fetch(redirectUrl)).text(), /Nothing was authorized/)
  await waitUntil(() => servers.view(id, ref).authorize === null)
  assert.match(servers.view(id, ref).reason ?? '', /The authorization was refused/)
})

// Verified to fail if insufficient scope is reported like any refusal, and if only the new scope is
// requested.
test('asks once for additional scopes if a tool requires them, together with the granted ones', async (world) => {
  const { there, house, ref, ready } = await setUp(world, { client_id: 'by-hand', scope: 'letters:read' })
  const { servers, id } = house
  const call = () => servers.call(id, ref, 'echo', {}, neverSignal).catch((error: unknown) => error)
  await there.allow((await servers.listed(id, ref, 8000)).authorize ?? '')
  await waitUntil(ready)
  await waitUntil(() => servers.view(id, ref).authorize === null)
  assert.is((await servers.call(id, ref, 'echo', {}, neverSignal)).ok, true)

  there.needs = 'letters:send'
  const callError = await call()
  assert.ok(
    callError instanceof ServerTrouble && callError.kind === 'authorize' && !callError.sent,
    `${callError}`,
  )
  assert.match(callError.message, 'authorized for more first (letters:send)')
  const { authorize, state } = servers.view(id, ref)
  assert.is(state, 'ready')
  assert.is(new URL(authorize ?? '').searchParams.get('scope'), 'letters:read letters:send')
  await call()
  assert.is(servers.view(id, ref).authorize, authorize)
  await there.allow(authorize ?? '')
  await waitUntil(() => servers.view(id, ref).authorize === null)
  assert.is((await servers.call(id, ref, 'echo', {}, neverSignal)).ok, true)
  assert.not.ok(there.asked.some((line) => line.startsWith('token refresh_token')))

  // The user is asked again if they granted less than requested, but not if they granted everything.
  there.needs = 'letters:burn'
  there.allows = 'letters:read letters:send'
  await call()
  await there.allow(servers.view(id, ref).authorize ?? '')
  await waitUntil(() => servers.view(id, ref).authorize === null)
  await call()
  there.allows = null
  await there.allow(servers.view(id, ref).authorize ?? '')
  await waitUntil(() => servers.view(id, ref).authorize === null)
  there.needs = 'letters:read letters:send'
  const refusal = await call()
  assert.ok(refusal instanceof ServerTrouble && refusal.kind === 'refused', `${refusal}`)
  assert.match(refusal.message, 'the authorization is not sufficient')
  assert.is(servers.view(id, ref).authorize, null)
  await assertNoSecrets(house, there.secrets, [servers.view(id, ref), `${callError}`])
})

test('reports an unsafe authorization server, and shows no address to open', async (world) => {
  const { there, house, ref } = await setUp(world)
  there.issuer = 'http://authorization.example'
  const { reason, authorize } = await house.servers.probe(house.id, ref, neverSignal)
  assert.match(reason ?? '', /not encrypted|and that failed/)
  assert.is(authorize, null)
})

test.run()
