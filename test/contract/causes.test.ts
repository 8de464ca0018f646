/** GET …/journal/{seq}/causes and …/effects */

import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readAudit } from '../audit-stream.ts'
import { call, waitFor } from '../calls.ts'
import { commit } from '../causes/life.ts'
import { createHome } from '../create-journal.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { createMessageHeard } from '../journal/facts.ts'
import { type Answer, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

const createPersona = async (url: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'embedded/practice' })).body
    .persona.id
const say = (url: string, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const getLines = (url: string, id: string, type: string) => readAudit(url, id, `?type=${type}`)
const walk = async (url: string, id: string, path: string): Promise<Answer[1]> => {
  const { status, body } = await call(url, 'GET', `/api/persona/${id}/journal/${path}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const types = ({ nodes }: Answer[1]): string[] => nodes.map(({ type }: Answer[1]) => type)

test('leads from a statement to the message, and back to the answers', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  const { url } = daemon
  const id = await createPersona(url)
  await say(url, id, 'My name is Ines.')
  const [statement] = await getLines(url, id, 'MemoryKept')
  const [message] = await getLines(url, id, 'MessageHeard')
  const causes = await walk(url, id, `${statement.seq}/causes?depth=20`)
  for (const type of ['MessageHeard', 'TurnBegan', 'ModelAnswered', 'ToolCalled', 'MemoryKept'])
    assert.ok(types(causes).includes(type), type)
  assert.is(causes.cut, false)
  const node = causes.nodes.find(({ seq }: Answer[1]) => seq === message.seq)
  assert.equal(
    [node.type, node.by, node.text, node.at],
    ['MessageHeard', 'person', 'My name is Ines.', message.at],
  )
  assert.ok(
    causes.edges.some(
      ({ from, to, relation }: Answer[1]) =>
        from === message.seq && to === statement.seq && relation === 'source',
    ),
  )
  const only = await walk(url, id, `${statement.seq}/causes?depth=20&kinds=MessageHeard`)
  assert.equal(types(only), ['MessageHeard', 'MemoryKept'])
  const effects = await walk(url, id, `${message.seq}/effects?depth=20`)
  assert.ok(types(effects).includes('MemoryKept') && types(effects).includes('MessageSpoken'))

  // Answers are the same without the index, also after a restart.
  await daemon.close()
  await rm(join(home, 'personas', id, 'links'), { recursive: true })
  const second = await startDaemon({ home })
  const again = await walk(second.url, id, `${message.seq}/effects?depth=20`)
  const isOld = ({ seq, to = seq }: Answer[1]) => to <= effects.nodes.at(-1).seq
  assert.equal(again.edges.filter(isOld), effects.edges)
  assert.equal(again.nodes.filter(isOld), effects.nodes)
  await second.close()
  await rm(home, { recursive: true, force: true })
})

test('keeps the links of an erased message, and none of its words', async () => {
  const daemon = await startDaemon()
  const { url } = daemon
  const id = await createPersona(url)
  await say(url, id, 'My name is Quinquireme.')
  const [statement] = await getLines(url, id, 'MemoryKept')
  const [message] = await getLines(url, id, 'MessageHeard')
  const before = await walk(url, id, `${statement.seq}/causes?depth=20`)
  const effectsBefore = await walk(url, id, `${message.seq}/effects?depth=20`)
  const { status } = await call(url, 'POST', `/api/persona/${id}/erase`, { seqs: [message.seq], also: true })
  assert.is(status, 200)
  const after = await walk(url, id, `${statement.seq}/causes?depth=20`)
  assert.equal(after.edges, before.edges)
  assert.not.match(JSON.stringify(after), /Quinquireme/)
  const node = after.nodes.find(({ seq }: Answer[1]) => seq === message.seq)
  assert.equal([node.erased, node.text, node.details], [true, null, null])
  const effects = await walk(url, id, `${message.seq}/effects?depth=20`)
  const isOld = ({ to }: Answer[1]) => to <= effectsBefore.nodes.at(-1).seq
  assert.equal(effects.edges.filter(isOld), effectsBefore.edges)
  assert.ok(types(effects).includes('FactsErased'))
  await daemon.close()
})

test('walks in a fork through the shared past', async () => {
  const daemon = await startDaemon()
  const { url } = daemon
  const id = await createPersona(url)
  await say(url, id, 'My name is Ines.')
  const [statement] = await getLines(url, id, 'MemoryKept')
  const causes = await walk(url, id, `${statement.seq}/causes?depth=20`)
  const { body } = await call(url, 'POST', `/api/persona/${id}/fork`, {})
  const fork = body.persona.id
  assert.equal(await walk(url, fork, `${statement.seq}/causes?depth=20`), causes)
  const [forked] = await getLines(url, fork, 'PersonaForked')
  assert.ok((await walk(url, fork, `${forked.seq}/effects`)).edges.length > 0)
  await daemon.close()
})

test('refuses unknown facts and wrong parameters', async () => {
  const path = await setup.home()
  const { get } = setup
  const unknownFact: Answer = [404, { detail: 'Fact not found.' }]
  for (const way of ['causes', 'effects']) {
    for (const seq of ['0', '99999', '-1', '1.5', 'x', '1e3', '9'.repeat(40), '%00'])
      assert.equal(await get(`${path}/journal/${seq}/${way}`), unknownFact, seq)
    assert.equal(await get(`/api/persona/nobody/journal/1/${way}`), unknownPersona)
    for (const query of [
      'depth=0',
      'depth=21',
      'depth=x',
      'depth=1.5',
      'depth=',
      'kinds=Nothing',
      'kinds=',
    ]) {
      const [status, body] = await get(`${path}/journal/1/${way}?${query}`)
      assert.is(status, 422, query)
      assert.equal(body.detail[0].loc, ['query', query.split('=')[0]])
    }
    assert.is((await get(`${path}/journal/1/${way}?depth=20&kinds=Renamed,MessageHeard`))[0], 200)
  }
})

test('masks credentials and commands of tool servers', async () => {
  const home = await createHome([
    commit(
      { by: 'person' },
      {
        type: 'OrganReplaced',
        slot: 'eye',
        organ: { model: 'llava', provider: null, url: 'http://user:hunter2@localhost:1', key: null },
      },
    ),
    commit({ by: 'person' }, { type: 'OrganRemoved', slot: 'eye' }),
    commit(
      { by: 'person' },
      {
        type: 'ToolServerSet',
        name: 'files',
        server: { transport: 'stdio', command: 'hunter2', args: ['--key=hunter2'], cwd: null, env: [] },
      },
    ),
    commit({ by: 'person' }, { type: 'ToolServerRemoved', name: 'files' }),
  ])
  const daemon = await startDaemon({ home })
  for (const seq of [4, 6]) {
    const graph = await walk(daemon.url, 'ada', `${seq}/causes`)
    assert.is(graph.nodes.length, 2)
    assert.not.match(JSON.stringify(graph), /hunter2/)
  }
  await daemon.close()
  await rm(home, { recursive: true, force: true })
})

test('answers other clients while one has disconnected and others build the index', async () => {
  const messages = Array.from({ length: 3000 }, (_, n) =>
    commit({ by: 'person' }, createMessageHeard(`${n}`)),
  )
  const home = await createHome([
    ...messages,
    commit(
      { by: 'agent' },
      { type: 'DayClosed', after: 0, upTo: 3002, began: 1, ended: 2, summary: 's', by: 'mind' },
    ),
  ])
  const daemon = await startDaemon({ home })
  const gone = request(`${daemon.url}/api/persona/ada/journal/3/effects`)
  let isGone = false
  gone.on('error', () => {
    isGone = true
  })
  gone.end()
  gone.on('socket', (socket) =>
    socket.on('connect', () => setImmediate(() => gone.destroy(new Error('gone')))),
  )
  const graphs = await Promise.all(Array.from({ length: 8 }, () => walk(daemon.url, 'ada', '3/effects')))
  for (const graph of graphs) assert.equal(graph.edges, [{ from: 3, to: 3003, relation: 'talk' }])
  await waitFor('the client to be gone', () => isGone)
  await daemon.close()
  await rm(home, { recursive: true, force: true })
})

test.run()
