/** POST /api/persona/{persona_id}/read */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pause, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { ask } from '../http/try.ts'
import { listenTo } from '../listener.ts'
import { type Answer, invalidBody, joinKeys, json, notActive, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const receivedReply: Answer = [200, { status: 'received' }]
const channelClosed: Answer = [400, { detail: 'Web channel not connected' }]
const sendMessage = (personaPath: string, body: unknown, query = '', headers = {}) =>
  setup.post(`${personaPath}/read${query}`, body, headers)
const getTalk = async (personaPath: string): Promise<readonly string[]> =>
  (await setup.get(`${personaPath}/conversation?limit=1000`))[1].messages.map(
    ({ role, content }: Record<string, string>) => `${role}: ${content}`,
  )

test('returns 400 without a listener on the web channel and receives the message with one', async () => {
  const personaPath = await setup.home()
  assert.equal(await sendMessage(personaPath, { message: 'hello' }), channelClosed)
  assert.equal(await getTalk(personaPath), [])
  const listener = await listenTo(setup.daemon.url, `/ws/${personaPath.split('/')[3]}`)
  assert.equal(await sendMessage(personaPath, { message: 'hello', odd: 1 }), receivedReply)
  await waitFor('the answer', () => listener.frames.some(({ type }) => type === 'chat_message'))
  listener.leave()
  await listener.whenClosed
  assert.equal(await sendMessage(personaPath, { message: 'still open' }), receivedReply)
})

test('keeps the web channel open over a restart, and closes it on a stop', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  await setup.post(`${personaPath}/restart`)
  assert.equal(await sendMessage(personaPath, { message: 'after a restart' }), receivedReply)
  await setup.post(`${personaPath}/update`, { status: 'active' })
  assert.equal(await sendMessage(personaPath, { message: 'after an update' }), receivedReply)
  await setup.post(`${personaPath}/stop`)
  await setup.post(`${personaPath}/start`)
  assert.equal(await sendMessage(personaPath, { message: 'after a stop' }), channelClosed)
  await setup.say(personaPath, 'hello')
  await setup.post(`${personaPath}/update`, { status: 'sick' })
  await setup.post(`${personaPath}/update`, { status: 'active' })
  assert.equal(await sendMessage(personaPath, { message: 'after a sickness' }), channelClosed)
})

test('opens the web channel for a request with a wait and returns the reply in the same response', async () => {
  const personaPath = await setup.home()
  const [status, body] = await sendMessage(personaPath, { message: 'hello' }, '?wait=20')
  assert.equal([status, joinKeys(body), joinKeys(body.reply)], [200, 'status reply', 'id content media time'])
  const { id, time, ...rest } = body.reply
  assert.equal([body.status, rest], ['received', { content: 'You said: hello', media: null }])
  assert.ok(Number.isInteger(id))
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
  assert.is((await setup.get(`${personaPath}/conversation`))[1].messages.at(-1).id, id)
})

test('returns a null reply when the wait times out', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  for (const wait of ['0', '0.05', '.01'])
    assert.equal(await sendMessage(personaPath, { message: 'x' }, `?wait=${wait}`), [
      200,
      { status: 'received', reply: null },
    ])
})

test('accepts a wait from 0 to 600 seconds', async () => {
  const personaPath = '/api/persona/nobody'
  const getErrorType = async (wait: string) => {
    const [status, { detail }] = await sendMessage(personaPath, { message: 'x' }, `?wait=${wait}`)
    assert.equal(
      [status, detail[0].loc, detail[0].input],
      [422, ['query', 'wait'], decodeURIComponent(wait)],
      wait,
    )
    return detail[0].type
  }
  for (const wait of ['', 'abc', '1s', 'NaN', 'Infinity', '0x10', '1,5'])
    assert.is(await getErrorType(wait), 'float_parsing')
  assert.is(await getErrorType('-1'), 'greater_than_equal')
  for (const wait of ['600.1', '601', '1e9']) assert.is(await getErrorType(wait), 'less_than_equal')
})

test('requires message as text, also for a missing persona', async () => {
  for (const personaPath of [await setup.home(), '/api/persona/nobody']) {
    for (const input of [5, null, true, [], ['x'], {}])
      assert.equal(
        await sendMessage(personaPath, { message: input }),
        invalidBody('string_type', ['body', 'message'], 'Input should be a valid string', { input }),
      )
    assert.equal(
      await sendMessage(personaPath, {}),
      invalidBody('missing', ['body', 'message'], 'Field required', { input: {} }),
    )
    assert.equal(
      await setup.post(`${personaPath}/read`),
      invalidBody('missing', ['body'], 'Field required', { input: null }),
    )
    const noObject = 'Input should be a valid dictionary or object to extract fields from'
    assert.equal(
      await sendMessage(personaPath, ['x']),
      invalidBody('model_attributes_type', ['body'], noObject, { input: ['x'] }),
    )
  }
})

test('accepts an empty message', async () => {
  const personaPath = await setup.home()
  assert.is(await setup.say(personaPath, ''), 'You said:')
})

test('keeps every character of a message', async () => {
  const personaPath = await setup.home()
  const text = 'Grüße\n\t🙂👩‍👩‍👧 \u0000 \u202e "quoted" \\ </script> \u2028 end'
  assert.is(await setup.say(personaPath, text), `You said: ${text}`)
  assert.is((await getTalk(personaPath))[0], `person: ${text}`)
})

test('accepts a message of up to 256 KiB in UTF-8', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const maxBytes = 256 * 1024
  for (const letter of ['x', 'é', '🙂']) {
    const full = letter.repeat(maxBytes / Buffer.byteLength(letter))
    assert.is((await sendMessage(personaPath, { message: full }, '?wait=0'))[0], 200, letter)
    assert.equal(
      await sendMessage(personaPath, { message: `${full}x` }, '?wait=0'),
      [413, { detail: 'The message is too large: 262144 bytes at most.' }],
      letter,
    )
  }
  assert.is((await getTalk(personaPath)).length, 3)
  assert.is((await sendMessage('/api/persona/nobody', { message: 'x'.repeat(maxBytes + 1) }))[0], 413)
})

test('returns 409 for a stopped and for a missing persona', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  for (const path of [personaPath, '/api/persona/nobody']) {
    assert.equal(await sendMessage(path, { message: 'x' }), notActive)
    assert.equal(await sendMessage(path, { message: 'x' }, '?wait=1'), notActive)
  }
})

test('records a message once when it is sent again with its key, and returns the same reply', async () => {
  const personaPath = await setup.home()
  const key = { 'Idempotency-Key': 'a' }
  const first = await sendMessage(personaPath, { message: 'once' }, '?wait=20', key)
  await setup.say(personaPath, 'other')
  assert.equal(await sendMessage(personaPath, { message: 'once' }, '?wait=20', key), first)
  assert.equal(await sendMessage(personaPath, { message: 'once' }, '', key), receivedReply)
  assert.equal(
    await sendMessage(personaPath, { message: 'other words under the same key' }, '', key),
    receivedReply,
  )
  assert.equal(await getTalk(personaPath), [
    'person: once',
    'assistant: You said: once',
    'person: other',
    'assistant: You said: other',
  ])
})

test('records concurrent messages with one key once and returns the same reply to all', async () => {
  const personaPath = await setup.home()
  const key = { 'Idempotency-Key': 'b' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sendMessage(personaPath, { message: 'at once' }, '?wait=20', key)),
  )
  assert.is(answers[0]?.[1].reply.content, 'You said: at once')
  for (const answer of answers) assert.equal(answer, answers[0])
  assert.equal(await getTalk(personaPath), ['person: at once', 'assistant: You said: at once'])
})

test('scopes a key to its persona, compares it with case and ignores an empty one', async () => {
  const personaPath = await setup.home()
  const otherHome = await setup.home()
  await sendMessage(personaPath, { message: 'one' }, '?wait=20', { 'Idempotency-Key': 'c' })
  await sendMessage(otherHome, { message: 'two' }, '?wait=20', { 'Idempotency-Key': 'c' })
  await sendMessage(personaPath, { message: 'three' }, '?wait=20', { 'Idempotency-Key': 'C' })
  for (const _ of [1, 2])
    await sendMessage(personaPath, { message: 'four' }, '?wait=20', { 'Idempotency-Key': '' })
  assert.is((await getTalk(otherHome)).length, 2)
  assert.equal(
    (await getTalk(personaPath)).filter((line) => line.startsWith('person')),
    ['person: one', 'person: three', 'person: four', 'person: four'],
  )
})

test('recognizes a key after a stop and a start', async () => {
  const personaPath = await setup.home()
  const key = { 'Idempotency-Key': 'd' }
  const first = await sendMessage(personaPath, { message: 'before' }, '?wait=20', key)
  await setup.post(`${personaPath}/stop`)
  await setup.post(`${personaPath}/start`)
  assert.equal(await sendMessage(personaPath, { message: 'before' }, '?wait=20', key), first)
  assert.is((await getTalk(personaPath)).length, 2)
})

test('returns the later reply to a second wait with the same key', async () => {
  const personaPath = await setup.home()
  let answer = () => {}
  const answerHeld = new Promise<void>((resolve) => (answer = resolve))
  setup.models.think = () => answerHeld
  const key = { 'Idempotency-Key': 'e' }
  assert.equal(await sendMessage(personaPath, { message: 'slow' }, '?wait=0.05', key), [
    200,
    { status: 'received', reply: null },
  ])
  const secondReply = sendMessage(personaPath, { message: 'slow' }, '?wait=20', key)
  await pause(50)
  answer()
  assert.is((await secondReply)[1].reply.content, 'You said: slow')
})

test('records and answers concurrent messages', async () => {
  const personaPath = await setup.home()
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const messages = Array.from({ length: 20 }, (_, i) => `message ${i}`)
  const answers = await Promise.all(
    messages.map((message) => sendMessage(personaPath, { message }, '?wait=20')),
  )
  for (const [status, { reply }] of answers)
    assert.ok(status === 200 && reply.content.startsWith('You said: '))
  const receivedLines = (await getTalk(personaPath)).filter((line) => line.startsWith('person'))
  assert.equal([...receivedLines].sort(), messages.map((message) => `person: ${message}`).sort())
  process.off('warning', note)
  assert.equal(warnings, [], 'no MaxListenersExceededWarning')
})

test('records the message of a client that disconnects while waiting', async () => {
  const personaPath = await setup.home()
  let answer = () => {}
  const answerHeld = new Promise<void>((resolve) => (answer = resolve))
  setup.models.think = () => answerHeld
  const controller = new AbortController()
  const body = '{"message":"bye"}'
  const pendingRequest = fetch(`${setup.daemon.url}${personaPath}/read?wait=60`, {
    method: 'POST',
    headers: json,
    body,
    signal: controller.signal,
  }).then(
    () => 'answered',
    () => 'gone',
  )
  await waitFor('the message', async () => (await getTalk(personaPath)).length === 1)
  controller.abort()
  assert.is(await pendingRequest, 'gone')
  answer()
  await waitFor('the answer', async () => (await getTalk(personaPath)).length === 2)
})

test('answers waiting clients when the daemon stops', async () => {
  const models = standIn()
  const daemon = await startDaemon({ models })
  models.think = () => new Promise(() => {})
  const post = (path: string, body: unknown) =>
    ask(daemon.port, { method: 'POST', path, body: JSON.stringify(body), headers: json })
  const { persona } = JSON.parse(
    (await post('/api/persona/create', { name: 'Ada', thinking_model: 'llama' })).text,
  )
  const pendingReply = post(`/api/persona/${persona.id}/read?wait=60`, { message: 'hello' })
  await pause(100)
  await daemon.close()
  assert.is((await pendingReply).text, '{"status":"received","reply":null}')
})

test('receives a message while the persona is starting', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/update`, { status: 'hibernate' })
  const usual = setup.models.probe
  let go = () => {}
  const probeEnd = new Promise<void>((resolve) => {
    go = resolve
  })
  let isProbed = false
  setup.models.probe = () => {
    isProbed = true
    return probeEnd
  }
  try {
    const pendingStart = setup.post(`${personaPath}/update`, { status: 'active' })
    await waitFor('the probe', () => isProbed)
    const pendingSay = setup.post(`${personaPath}/read?wait=20`, { message: 'hello' })
    setTimeout(go, 50)
    assert.is((await pendingStart)[0], 200)
    const [status, body] = await pendingSay
    assert.equal([status, body.reply?.content], [200, 'You said: hello'])
  } finally {
    setup.models.probe = usual
  }
})

test.run()
