/** A daemon with a Matrix account that is killed: no message is lost, and none comes or goes twice. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { createSecret, filesWith, isIn } from '../secrets/search.ts'
import { createMatrixStandIn } from '../stand-ins/matrix.ts'
import { codeIn } from './platform.ts'

const start = (home: string, logTo?: (line: string) => void): Promise<TestDaemon> =>
  startDaemon({
    home,
    models: standIn(),
    random: () => 0,
    ...(logTo && { logTo, env: { DAIMON_LOG_LEVEL: 'trace' } }),
  })

/** Copies the home as a SIGKILL at this moment would leave it. */
const copyAsKilled = async (home: string) => {
  const copy = await tempHome()
  await cp(home, copy, { recursive: true })
  return copy
}

const createPairedPersona = async () => {
  const matrix = await createMatrixStandIn()
  const ada = matrix.register('ada')
  const nelly = matrix.register('nelly')
  const token = matrix.createToken(ada.id)
  const home = await tempHome()
  const lines: string[] = []
  const daemon = await start(home, (line) => lines.push(line))
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
  })
  const at = `/api/persona/${body.persona.id}`
  const credentials = { token, homeserver: matrix.url }
  await call(daemon.url, 'POST', `${at}/channels`, { kind: 'matrix', credentials })
  const room = nelly.createRoom({ is_direct: true, invite: [ada.id] })
  const texts = () => matrix.sentBy(ada.id, room).flatMap(({ content }) => content.body ?? [])
  nelly.send(room, 'hello')
  const code = await waitFor('a code', () => texts().map(codeIn).find(Boolean))
  assert.is((await call(daemon.url, 'POST', `${at}/pair`, { code })).status, 200)
  await waitFor('the greeting', () => texts().some((text) => text.includes('We are paired')))
  const conversation = async ({
    url,
  }: TestDaemon): Promise<{ content: string; delivery?: { state: string } }[]> =>
    (await call(url, 'GET', `${at}/conversation`)).body.messages
  const close = async (...homes: readonly string[]) => {
    await matrix.close()
    for (const folder of [home, ...homes]) await rm(folder, { recursive: true, force: true })
  }
  return { matrix, ada, nelly, token, home, daemon, lines, at, room, texts, conversation, close }
}

const findSyncFile = async (home: string): Promise<string> => {
  const names = await readdir(home, { recursive: true })
  return join(home, names.find((name) => name.endsWith('sync.json')) ?? '')
}

test('a message that was stored before its position arrives again after a crash and is stored once', async () => {
  const { matrix, nelly, home, daemon, room, texts, conversation, close } = await createPairedPersona()
  await waitFor('a sync that waits', () => matrix.syncing() > 0)
  const position = await readFile(await findSyncFile(home))
  nelly.send(room, 'remember me')
  await waitFor('the answer', () => texts().includes('You said: remember me'))
  await waitFor('the delivery', async () => (await conversation(daemon)).at(-1)?.delivery?.state === 'sent')
  const copy = await copyAsKilled(home)
  // The crash was between the message and its position.
  await writeFile(await findSyncFile(copy), position)
  await daemon.close()
  const asked = matrix.log.length

  const restarted = await start(copy)
  const oldToken = encodeURIComponent(JSON.parse(String(position)).since)
  await waitFor('the old position', () =>
    matrix.log.slice(asked).some(({ path }) => path.includes(`since=${oldToken}`)),
  )
  nelly.send(room, 'and now?')
  await waitFor('the next answer', () => texts().includes('You said: and now?'))
  const contents = (await conversation(restarted)).map(({ content }) => content)
  assert.equal(contents, ['remember me', 'You said: remember me', 'and now?', 'You said: and now?'])
  assert.equal(texts().slice(2), ['You said: remember me', 'You said: and now?'])
  await restarted.close()
  await close(copy)
})

test('an answer whose delivery a crash hid is sent again with the same id, and appears once', async () => {
  const { matrix, nelly, home, daemon, room, texts, conversation, close } = await createPairedPersona()
  // The server accepts the message, and its answer is lost.
  matrix.faults.next.push({ on: /PUT .*\/send\/m.room.message/, fault: 'drop' })
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  matrix.faults.next.push({ on: /PUT .*\/send\/m.room.message/, fault: { until } })
  nelly.send(room, 'remember me')
  await waitFor('the answer', () => texts().includes('You said: remember me'))
  const copy = await copyAsKilled(home)
  assert.is.not((await conversation(daemon)).at(-1)?.delivery?.state, 'sent')
  const restarted = await start(copy)
  await waitFor(
    'the delivery',
    async () => (await conversation(restarted)).at(-1)?.delivery?.state === 'sent',
  )
  assert.equal(
    texts().filter((text) => text.includes('remember me')),
    ['You said: remember me'],
  )
  await restarted.close()
  release()
  await daemon.close()
  await close(copy)
})

test('the access token is only in the secrets file, and the words of strangers are nowhere', async () => {
  const { matrix, nelly, ada, token, home, daemon, lines, at, room, texts, close } =
    await createPairedPersona()
  const eve = matrix.register('eve')
  const other = nelly.createRoom({ name: 'Friends', invite: [ada.id, eve.id] })
  eve.join(other)
  await waitFor(
    'the persona in the room',
    () => matrix.server.membership(matrix.server.findRoom(other), ada.id) === 'join',
  )
  eve.send(other, 'Ada: SECRETWORDSOFASTRANGER')
  nelly.send(other, 'Ada: are you here?')
  const isAnswered = () =>
    matrix
      .sentBy(ada.id, other)
      .some(({ content }) => String(content.body).includes('You said: are you here?'))
  await waitFor('the answer in the other room', isAnswered)
  matrix.faults.revoked = true
  const { body } = await waitFor('the trouble', async () => {
    const answer = await call(daemon.url, 'GET', `${at}/diagnose`)
    return JSON.stringify(answer.body).includes('no longer accepts the access token') && answer
  })
  assert.ok(texts().length > 0 && room)
  await daemon.close()
  for (const [words, allowed] of [
    [token, [`personas/${at.split('/').at(-1)}/secrets`]],
    ['SECRETWORDSOFASTRANGER', []],
  ] as const) {
    const secret = createSecret(words, words)
    assert.equal(
      [...lines, JSON.stringify(body)].filter((text) => isIn(secret, text)),
      [],
      words,
    )
    assert.equal(await filesWith(secret, home), allowed, words)
  }
  await close()
})

test.run()
