/** Decisions of the user about web hosts, over HTTP. */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { json, shareSetup } from './setup.ts'

const setup = shareSetup(test)

const patch = async (personaPath: string, host: string, mode: string) => {
  const path = `${personaPath}/hosts/${encodeURIComponent(host)}`
  const { status, text } = await setup.send({
    method: 'PATCH',
    path,
    headers: json,
    body: JSON.stringify({ mode }),
  })
  return [status, JSON.parse(text)]
}
const getHosts = async (personaPath: string) => {
  const [, { builtin }] = await setup.get(`${personaPath}/tools`)
  return builtin.find(({ name }: { name: string }) => name === 'read_page')?.hosts
}

test('stores and shows decisions about hosts, also changed ones', async () => {
  const personaPath = await setup.home()
  equal(await getHosts(personaPath), [])
  equal(await patch(personaPath, 'a.example', 'allow'), [
    200,
    { hosts: [{ host: 'a.example', mode: 'allow' }] },
  ])
  await patch(personaPath, 'b.example:8443', 'off')
  await patch(personaPath, 'a.example', 'ask')
  equal(await getHosts(personaPath), [
    { host: 'a.example', mode: 'ask' },
    { host: 'b.example:8443', mode: 'off' },
  ])
})

test('refuses a host that is not in the form of an address', async () => {
  const personaPath = await setup.home()
  for (const host of [
    'A.example',
    'a.example/',
    'a.example:443x',
    'user@a.example',
    '127.1',
    'a b',
    'a.example.',
  ])
    is((await patch(personaPath, host, 'allow'))[0], 404, host)
  equal(await getHosts(personaPath), [])
})

test('refuses a tool server named web', async () => {
  const personaPath = await setup.home()
  const body = JSON.stringify({ command: 'x' })
  const { status } = await setup.send({
    method: 'PUT',
    path: `${personaPath}/tools/web`,
    headers: json,
    body,
  })
  is(status, 400)
})

test('does not list the tool when web reading is off', async () => {
  const daemon = await startDaemon({ models: setup.models, env: { DAIMON_WEB_READING: 'off' } })
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
    })
    const { body: tools } = await call(daemon.url, 'GET', `/api/persona/${body.persona.id}/tools`)
    ok(!tools.builtin.some(({ name }: { name: string }) => name === 'read_page'))
  } finally {
    await daemon.close()
  }
})

test.run()
