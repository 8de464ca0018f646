/** GET /api/persona/{persona_id}/conversation */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type Answer, invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

interface Message {
  readonly id: number
  readonly role: string
  readonly content: string
}
const getPage = async (personaPath: string, query = '') => {
  const [status, body] = await setup.get(`${personaPath}/conversation${query}`)
  assert.equal([status, joinKeys(body)], [200, 'messages has_more'])
  return body as { readonly messages: readonly Message[]; readonly has_more: boolean }
}
const getContents = ({ messages }: { readonly messages: readonly Message[] }) =>
  messages.map(({ content }) => content)

test('is empty before the first message', async () => {
  assert.equal(await getPage(await setup.home()), { messages: [], has_more: false })
})

test('returns the fields of a message in the documented order, for both roles', async () => {
  const personaPath = await setup.home()
  const id = personaPath.split('/')[3]
  await setup.say(personaPath, 'hello')
  const [question, reply] = (await getPage(personaPath)).messages as unknown as Answer[1][]
  for (const message of [question, reply]) {
    assert.is(joinKeys(message), 'id role content channel time turn step media delivery')
    assert.match(message.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
    assert.equal(message.channel, { type: 'web', name: id })
    assert.equal([message.media, message.delivery], [null, null])
  }
  assert.equal(
    [question.role, question.content, question.turn, question.step],
    ['person', 'hello', null, null],
  )
  assert.equal([reply.role, reply.content, reply.step], ['assistant', 'You said: hello', 1])
  assert.ok(reply.turn > question.id && reply.id > reply.turn)
})

test('names the model of each answer and the changes of the Mind if asked to', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'one')
  await setup.post(`${personaPath}/update`, { thinking: { model: 'qwen' } })
  await setup.say(personaPath, 'two')
  const [, { messages, minds }] = await setup.get(`${personaPath}/conversation?minds=true`)
  const [first, second] = minds
  assert.equal(
    messages.map(({ mind }: { mind?: string }) => mind),
    [undefined, first.model, undefined, 'qwen'],
  )
  assert.equal([second.provider, second.model, second.undoable, minds.length], [null, 'qwen', true, 2])
  assert.ok(messages[1].id < second.id && second.id < messages[2].id)
})

test('is available for a stopped persona and after a restart', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const pageBefore = await getPage(personaPath)
  await setup.post(`${personaPath}/restart`)
  assert.equal(await getPage(personaPath), pageBefore)
  await setup.post(`${personaPath}/stop`)
  assert.equal(await getPage(personaPath), pageBefore)
})

test('pages backwards through 1203 messages without gaps or duplicates', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  await setup.post(`${personaPath}/read?wait=0`, { message: '0' })
  const count = 1203
  for (let sentCount = 1; sentCount < count; sentCount += 60)
    await Promise.all(
      Array.from({ length: Math.min(60, count - sentCount) }, (_, i) =>
        setup.post(`${personaPath}/read`, { message: String(sentCount + i) }),
      ),
    )
  // After the stop no message can be added, even on a slow machine.
  await setup.post(`${personaPath}/stop`)
  const walk = async (limit: number) => {
    const pages: (readonly Message[])[] = []
    for (let previousId = ''; ; ) {
      const { messages, has_more } = await getPage(personaPath, `?limit=${limit}${previousId}`)
      pages.unshift(messages)
      if (!has_more) return pages
      assert.is(messages.length, limit)
      previousId = `&before=${messages[0]?.id}`
    }
  }
  const all = (await walk(1000)).flat()
  // On a slow machine the persona has meanwhile reported that its Mind does not answer.
  const sentMessages = all.filter(({ role }) => role !== 'assistant')
  assert.is(sentMessages.length, count)
  assert.equal(
    all.map(({ id }) => id),
    [...new Set(all.map(({ id }) => id))].sort((a, b) => a - b),
  )
  assert.equal(
    sentMessages.map(({ content }) => Number(content)).sort((a, b) => a - b),
    Array.from({ length: count }, (_, i) => i),
  )
  for (const limit of [401, 137]) assert.equal((await walk(limit)).flat(), all)
  const usual = await getPage(personaPath)
  assert.equal([usual.messages, usual.has_more], [all.slice(-200), true])
  assert.equal((await getPage(personaPath, '?limit=1')).messages, all.slice(-1))
})

test('sets has_more to false on a last page that is exactly full', async () => {
  const personaPath = await setup.home()
  for (const message of ['one', 'two']) await setup.say(personaPath, message)
  await waitFor('both answers', async () => (await getPage(personaPath)).messages.length === 4)
  const lastPage = await getPage(personaPath, '?limit=4')
  assert.equal(
    [getContents(lastPage), lastPage.has_more],
    [['one', 'You said: one', 'two', 'You said: two'], false],
  )
  assert.equal(((last) => [getContents(last), last.has_more])(await getPage(personaPath, '?limit=3')), [
    ['You said: one', 'two', 'You said: two'],
    true,
  ])
})

test('accepts any position as before, also one without a message or beyond the end', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const { messages } = await getPage(personaPath)
  const first = messages[0]?.id ?? 0
  const last = messages.at(-1)?.id ?? 0
  assert.equal(await getPage(personaPath, '?before=1'), { messages: [], has_more: false })
  assert.equal(await getPage(personaPath, `?before=${first}`), { messages: [], has_more: false })
  assert.equal(getContents(await getPage(personaPath, `?before=${first + 1}`)), ['hello'])
  assert.equal(getContents(await getPage(personaPath, `?before=${last}`)), ['hello'])
  assert.equal(getContents(await getPage(personaPath, `?before=${last + 1}`)), ['hello', 'You said: hello'])
  assert.equal(getContents(await getPage(personaPath, `?before=${Number.MAX_SAFE_INTEGER}`)), [
    'hello',
    'You said: hello',
  ])
})

test('requires limits to be integers from 1 to 1000, also for a missing persona', async () => {
  for (const personaPath of [await setup.home(), '/api/persona/nobody']) {
    const requestPage = (query: string) => setup.get(`${personaPath}/conversation?${query}`)
    const tooSmall = (name: string, input: string) =>
      invalidBody('greater_than_equal', ['query', name], 'Input should be greater than or equal to 1', {
        input,
        ctx: { ge: 1 },
      })
    for (const input of ['0', '-1']) {
      assert.equal(await requestPage(`limit=${input}`), tooSmall('limit', input))
      assert.equal(await requestPage(`before=${input}`), tooSmall('before', input))
    }
    assert.equal(
      await requestPage('limit=1001'),
      invalidBody('less_than_equal', ['query', 'limit'], 'Input should be less than or equal to 1000', {
        input: '1001',
        ctx: { le: 1000 },
      }),
    )
    for (const name of ['limit', 'before'])
      for (const input of ['abc', '', '0x10', '1_000', '٣'])
        assert.equal(
          await requestPage(`${name}=${encodeURIComponent(input)}`),
          invalidBody(
            'int_parsing',
            ['query', name],
            'Input should be a valid integer, unable to parse string as an integer',
            { input },
          ),
        )
    for (const query of ['limit=1.5', 'before=1e300', 'before=9007199254740993', 'limit=-1e9'])
      assert.is((await requestPage(query))[0], 422, query)
  }
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.get('/api/persona/nobody/conversation'), unknownPersona)
})

test.run()
