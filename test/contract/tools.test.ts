/**
 * …/tools and …/approvals: published servers are declared, started, approved and used by a running persona.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { toForm } from '../forms.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)
const secret = 'marked-value-of-a-variable-93'

const folder = await mkdtemp(join(tmpdir(), 'daimon-tools-'))
test.after(() => rm(folder, { recursive: true, force: true }))

const getServerPath = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url))
const createFilesServer = () => ({
  command: process.execPath,
  args: [getServerPath('server-filesystem'), folder],
  env: { FILES_KEY: secret },
})

const sendJson = async (method: string, path: string, body?: unknown) => {
  const bodyOptions = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await setup.send({ method, path, headers, ...bodyOptions })
  return [status, JSON.parse(text)] as const
}
const sendPut = (path: string, body: unknown) => sendJson('PUT', path, body)
const findTool = (tools: readonly { readonly name: string }[], name: string) =>
  tools.find((tool) => tool.name === name)

// biome-ignore lint/suspicious/noExplicitAny: tests assert the approvals
const waitForApprovals = async (personaPath: string, n = 1): Promise<any[]> => {
  await waitFor(
    'an approval request',
    async () => (await setup.get(`${personaPath}/approvals`))[1].approvals.length === n,
  )
  return (await setup.get(`${personaPath}/approvals`))[1].approvals
}
const getLastTurn = async (personaPath: string) => {
  const [, { messages }] = await setup.get(`${personaPath}/conversation`)
  const turn = messages.findLast((message: { turn: number | null }) => message.turn !== null)?.turn
  return (await setup.get(`${personaPath}/turns/${turn}`))[1]
}

test('declares, starts, approves and uses a server, and stores its secret only in the file of secrets', async () => {
  await writeFile(join(folder, 'note.txt'), 'water the plants')
  const id = await setup.born()
  const personaPath = `/api/persona/${id}`
  const [status, declaredServer] = await sendPut(`${personaPath}/tools/files`, createFilesServer())
  assert.is(status, 200)
  assert.equal(
    [declaredServer.name, declaredServer.transport, declaredServer.state],
    ['files', 'stdio', 'off'],
  )
  assert.equal(declaredServer.server.env, { FILES_KEY: '***' })

  const [, probedServer] = await setup.post(`${personaPath}/tools/files/probe`)
  assert.equal([probedServer.state, probedServer.reason, probedServer.authorize], ['ready', null, null])
  assert.equal(findTool(probedServer.tools, 'read_text_file'), {
    name: 'read_text_file',
    mode: 'ask',
    description: (findTool(probedServer.tools, 'read_text_file') as { description?: string }).description,
  })

  setup.models.calls.push({ name: 'files__read_text_file', input: { path: join(folder, 'note.txt') } })
  void setup.say(personaPath, 'what is to be done?')
  const [question] = await waitForApprovals(personaPath)
  assert.equal(
    { ...question, id: 0, turn: 0, asked_at: '' },
    {
      id: 0,
      turn: 0,
      server: 'files',
      tool: 'read_text_file',
      asked_at: '',
      changed: false,
      again: false,
      input: { path: join(folder, 'note.txt') },
    },
  )
  assert.equal(await sendJson('POST', `${personaPath}/approvals/${question.id}`, { decision: 'once' }), [
    200,
    { status: 'settled' },
  ])
  await waitFor('an answer', async () => (await getLastTurn(personaPath))?.outcome === 'answered')
  const turn = await getLastTurn(personaPath)
  const [use] = turn.steps[0].tools
  assert.is(turn.id, question.turn)
  assert.equal([use.server, use.tool, use.allowed, use.ok], ['files', 'read_text_file', 'once', true])
  assert.equal(use.output.origin, { server: 'files', tool: 'read_text_file' })
  assert.match(use.output.text, 'water the plants')
  assert.equal(await sendJson('POST', `${personaPath}/approvals/${question.id}`, { decision: 'no' }), [
    404,
    { detail: 'Approval not found, or answered already.' },
  ])

  const { home } = setup.daemon
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    assert.is(bytes.includes(secret), entry.name === 'secrets', `${entry.parentPath}/${entry.name}`)
  }
  assert.not.match(JSON.stringify(await setup.facts(id)), secret)
})

// Fails if a tool that a skill names is called without approval.
test('grants none of the tools that an enabled skill names', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/files`, createFilesServer())
  await setup.post(`${personaPath}/tools/files/probe`)
  const content =
    '---\nname: look\ndescription: Looks around.\nallowed-tools: list_directory files__list_directory mcp__files__list_directory\n---\n\nLook.\n'
  const form = toForm([{ name: 'skill', filename: 'SKILL.md', type: 'text/markdown', content }])
  const { text } = await setup.send({ method: 'POST', path: `${personaPath}/skills`, ...form })
  const { sha256 } = JSON.parse(text)
  assert.is((await sendJson('PATCH', `${personaPath}/skills/look`, { enabled: true, sha256 }))[0], 200)

  setup.models.calls.push({ name: 'use_skill', input: { name: 'look' } })
  await setup.say(personaPath, 'read it')
  assert.match(
    JSON.stringify((await getLastTurn(personaPath)).steps[0].tools[0].output),
    'allowed-tools: list_directory',
  )
  setup.models.calls.push({ name: 'files__list_directory', input: { path: folder } })
  void setup.say(personaPath, 'look')
  const [question] = await waitForApprovals(personaPath)
  assert.equal([question.server, question.tool], ['files', 'list_directory'])
  const [, { tools }] = await setup.post(`${personaPath}/tools/files/probe`)
  assert.is((findTool(tools, 'list_directory') as { mode?: string }).mode, 'ask')
  await sendJson('POST', `${personaPath}/approvals/${question.id}`, { decision: 'no' })
  await waitFor('an answer', async () => (await getLastTurn(personaPath)).id === question.turn)
  const [use] = (await getLastTurn(personaPath)).steps[0].tools
  assert.equal([use.allowed, use.ok], ['no', false])
})

test('applies `always` to one tool of one server, which can be set back to ask and switched off', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/files`, createFilesServer())
  await setup.post(`${personaPath}/tools/files/probe`)
  const listCall = { name: 'files__list_directory', input: { path: folder } }
  setup.models.calls.push(listCall)
  void setup.say(personaPath, 'look')
  const [question] = await waitForApprovals(personaPath)
  await sendJson('POST', `${personaPath}/approvals/${question.id}`, { decision: 'always' })
  await waitFor('an answer', async () => (await getLastTurn(personaPath))?.outcome === 'answered')

  setup.models.calls.push(listCall)
  await setup.say(personaPath, 'again')
  assert.is((await getLastTurn(personaPath)).steps[0].tools[0].allowed, 'always')

  const [, off] = await sendJson('PATCH', `${personaPath}/tools/files/list_directory`, { mode: 'off' })
  assert.is((findTool(off.tools, 'list_directory') as { mode?: string }).mode, 'off')
  setup.models.calls.push(listCall)
  await setup.say(personaPath, 'once more')
  assert.match(
    JSON.stringify((await getLastTurn(personaPath)).steps[0].tools[0].output),
    /no tool named|switched/,
  )
})

test('keeps a secret that is sent back masked, and deletes it with its server', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/files`, createFilesServer())
  const [, secondServer] = await sendPut(`${personaPath}/tools/files`, {
    ...createFilesServer(),
    env: { FILES_KEY: '***', OTHER: 'x' },
  })
  assert.equal(secondServer.server.env, { FILES_KEY: '***', OTHER: '***' })
  const secrets = () =>
    readFile(join(setup.daemon.home, 'personas', personaPath.slice(13), 'secrets'), 'latin1')
  assert.match(await secrets(), secret)
  assert.equal(await sendJson('DELETE', `${personaPath}/tools/files`), [200, null])
  assert.equal((await setup.get(`${personaPath}/tools`))[1].servers, [])
  await waitFor('its secrets to go', async () => !(await secrets()).includes(secret))
})

// Fails if masked arguments are matched by their position.
test('keeps a masked argument when others are inserted before it', async () => {
  const personaPath = await setup.home()
  const givenServer = { command: 'x', args: ['run', '--token', secret] }
  await sendPut(`${personaPath}/tools/one`, givenServer)
  const [, { server }] = await sendPut(`${personaPath}/tools/one`, {
    command: 'x',
    args: ['-v', 'run', '--token', '***'],
  })
  assert.equal(server.args, ['-v', 'run', '--token', '***'])
  const [{ server: storedServer }] = (await setup.get(`${personaPath}/tools`))[1].servers
  assert.equal(storedServer.args, ['-v', 'run', '--token', '***'])
  const [status, { detail }] = await sendPut(`${personaPath}/tools/one`, {
    command: 'x',
    args: ['***', '--token', '***'],
  })
  assert.equal(
    [status, detail],
    [400, 'Arguments that were hidden have come or gone: give each of them again.'],
  )
})

test('imports the configuration of another client without its disabled servers', async () => {
  const personaPath = await setup.home()
  const [status, { servers, skipped }] = await setup.post(`${personaPath}/tools/import`, {
    mcpServers: {
      'My Files (work)': createFilesServer(),
      remote: {
        type: 'http',
        url: 'https://mcp.example.test/x?key=abc',
        headers: { Authorization: 'Bearer t' },
      },
      old: { ...createFilesServer(), disabled: true },
    },
  })
  assert.is(status, 200)
  assert.equal(skipped, ['old'])
  assert.equal(
    servers.map(({ name, transport }: { name: string; transport: string }) => [name, transport]),
    [
      ['My-Files-work-', 'stdio'],
      ['remote', 'http'],
    ],
  )
  assert.is(servers[1].server.url, 'https://mcp.example.test/x?***')
})

test('refuses an invalid server with a reason and stores nothing', async () => {
  const personaPath = await setup.home()
  const invalidServers = [
    ['files', {}, 'A tool server needs a command or a url.'],
    ['files', { command: 'x', url: 'http://x' }, 'A tool server has a command or a url, and not both.'],
    ['files', { url: 'ftp://x' }, 'The url of a tool server must begin with http:// or https://.'],
    ['files', { url: 'http://me:pass@x' }, /must not hold a name or password/],
    ['a__b', { command: 'x' }, /^The name of a tool server has 1 to 32 letters/],
    ['x'.repeat(33), { command: 'x' }, /^The name of a tool server has 1 to 32 letters/],
  ] as const
  for (const [name, body, words] of invalidServers) {
    const [status, { detail }] = await sendPut(`${personaPath}/tools/${name}`, body)
    assert.is(status, 400)
    assert.ok(typeof words === 'string' ? detail === words : words.test(detail), detail)
  }
  assert.is((await sendPut(`${personaPath}/tools/files`, { command: 5 }))[0], 422)
  assert.equal((await setup.get(`${personaPath}/tools`))[1].servers, [])
})

test('reports a server that does not start, and still answers messages', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/gone`, { command: 'no-such-program-here' })
  const [, probedServer] = await setup.post(`${personaPath}/tools/gone/probe`)
  assert.match(probedServer.reason, /no-such-program-here/)
  await sendPut(`${personaPath}/tools/unset`, {
    command: 'x',
    env: { KEY: ['$', '{NO_SUCH_VARIABLE}'].join('') },
  })
  assert.match((await setup.post(`${personaPath}/tools/unset/probe`))[1].reason, 'NO_SUCH_VARIABLE')
  assert.is(await setup.say(personaPath, 'hello'), 'You said: hello')
})

// Fails if notifications about tools from a server of the newest revision are ignored.
test('asks again for a tool whose description changes while its server runs, with both descriptions', async () => {
  const personaPath = await setup.home()
  const server = fileURLToPath(new URL('../../packages/mcp-client/test/modern-server.mjs', import.meta.url))
  await sendPut(`${personaPath}/tools/post`, { command: process.execPath, args: [server] })
  await setup.post(`${personaPath}/tools/post/probe`)
  for (const name of ['send', 'change'])
    await sendJson('PATCH', `${personaPath}/tools/post/${name}`, { mode: 'allow' })
  setup.models.calls.push({ name: 'post__change', input: {} })
  await setup.say(personaPath, 'change it')

  const { before, after } = await waitFor('another description', async () => {
    const { tools } = (await setup.get(`${personaPath}/tools`))[1].servers[0]
    return tools.find((tool: { name: string }) => tool.name === 'send').change
  })
  assert.is(JSON.parse(before).description, 'Sends a letter.')
  assert.match(JSON.parse(after).description, 'a copy to another address')

  setup.models.calls.push({ name: 'post__send', input: { to: 'Ines' } })
  void setup.say(personaPath, 'send it')
  const [{ id, changed, turn }] = await waitForApprovals(personaPath)
  assert.is(changed, true)
  await sendJson('POST', `${personaPath}/approvals/${id}`, { decision: 'once' })
  const getTurn = async () => (await setup.get(`${personaPath}/turns/${turn}`))[1]
  await waitFor('an answer', async () => (await getTurn()).outcome === 'answered')
  assert.match((await getTurn()).steps[0].tools[0].output.text, 'sent to Ines')
})

test('accepts a decision on a tool that is named like a route', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/files`, createFilesServer())
  assert.equal(await sendJson('PATCH', `${personaPath}/tools/files/probe`, { mode: 'off' }), [
    404,
    { detail: 'Tool not found.' },
  ])
  assert.is((await sendJson('GET', `${personaPath}/tools/files/probe`))[0], 405)
})

test('returns 404 for the property names that every object has', async () => {
  const personaPath = await setup.home()
  await sendPut(`${personaPath}/tools/files`, createFilesServer())
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.is((await setup.post(`${personaPath}/tools/${name}/probe`))[0], 404)
    assert.is((await sendJson('PATCH', `${personaPath}/tools/${name}/read`, { mode: 'off' }))[0], 404)
    assert.is((await sendJson('PATCH', `${personaPath}/tools/files/${name}`, { mode: 'off' }))[0], 404)
    assert.is((await sendJson('DELETE', `${personaPath}/tools/${name}`))[0], 404)
  }
})

test.run()
