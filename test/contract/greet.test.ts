/** POST /api/persona/{persona_id}/greet: the persona speaks first, once, if there is no message yet. */
import { cp, rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MindError } from '../../packages/models/mind.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { type Listener, listenTo } from '../listener.ts'
import { notActive, shareSetup } from './setup.ts'

const setup = shareSetup(test, { env: { DAIMON_GREETING: 'on' } })
const quietSetup = shareSetup(test, { env: { DAIMON_GREETING: 'off' } })
const cleanups: (() => unknown)[] = []
test.after.each(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

const greeting = [200, { status: 'greeting' }] as const
const quiet = [200, { status: 'quiet' }] as const

/** Creates a persona without messages and a page that shows its conversation. */
const createShown = async (sourceSetup = setup) => {
  const id = await sourceSetup.born()
  return { id, at: `/api/persona/${id}`, page: await openPage(sourceSetup.daemon.url, id) }
}
const openPage = async (url: string, id: string): Promise<Listener> => {
  const page = await listenTo(url, `/ws/${id}`)
  cleanups.push(page.leave)
  return page
}
const getReplies = ({ frames }: Listener): readonly string[] =>
  frames.filter(({ type }) => type === 'chat_message').map(({ content }) => content)
const getTalk = async (personaPath: string, sourceSetup = setup): Promise<readonly string[]> =>
  (await sourceSetup.get(`${personaPath}/conversation`))[1].messages.map(
    ({ role, content }: { role: string; content: string }) => `${role}: ${content.slice(0, 17)}`,
  )
const greetingLine = 'assistant: You said: [quiet]'
const holdAnswers = (models = setup.models) => {
  let go: (() => void) | undefined
  let callCount = 0
  models.think = () => {
    callCount += 1
    return new Promise<void>((resolve) => {
      go = resolve
    })
  }
  return {
    asked: () => callCount,
    go: () => {
      models.think = async () => {}
      go?.()
    },
  }
}

// Fails if a second greeting can be requested while one is pending: two of ten requests then succeed.
test('greets once on the web channel for any number of requests, and answers the next message as usual', async () => {
  const { at, page } = await createShown()
  const answers = await Promise.all(Array.from({ length: 10 }, () => setup.post(`${at}/greet`)))
  assert.is(answers.filter(([, { status }]) => status === 'greeting').length, 1)
  await waitFor('the greeting', () => getReplies(page).length > 0)
  assert.equal(page.frames.find(({ type }) => type === 'chat_message').channel, {
    type: 'web',
    name: at.split('/').at(-1),
  })
  assert.equal(await setup.post(`${at}/greet`), quiet)
  assert.is(await setup.say(at, 'Hello.'), 'You said: Hello.')
  assert.equal(await getTalk(at), [greetingLine, 'person: Hello.', 'assistant: You said: Hello.'])
  await setup.post(`${at}/restart`)
  assert.equal(await setup.post(`${at}/greet`), quiet)
})

test('does not greet after a message, without an open page, or when it is stopped', async () => {
  const { at } = await createShown()
  await setup.say(at, 'Hello.')
  assert.equal(await setup.post(`${at}/greet`), quiet)
  const unwatchedPath = `/api/persona/${await setup.born()}`
  assert.equal(await setup.post(`${unwatchedPath}/greet`), [400, { detail: 'Web channel not connected' }])
  await setup.post(`${at}/stop`)
  assert.equal(await setup.post(`${at}/greet`), notActive)
  assert.equal(await setup.post('/api/persona/nobody/greet'), notActive)
})

test('does not greet and makes no model call with DAIMON_GREETING=off', async () => {
  const { at, id } = await createShown(quietSetup)
  assert.equal(await quietSetup.post(`${at}/greet`), quiet)
  assert.not.ok((await quietSetup.facts(id)).some((text) => text.includes('GreetingAsked')))
})

test('answers messages that arrive during the greeting after it', async () => {
  const { at, page } = await createShown()
  const mind = holdAnswers()
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the model call', () => mind.asked() === 1)
  await setup.post(`${at}/read`, { message: 'Hello.' })
  assert.equal(await setup.post(`${at}/greet`), quiet)
  mind.go()
  await waitFor('both', () => getReplies(page).length === 2)
  assert.equal(await getTalk(at), ['person: Hello.', greetingLine, 'assistant: You said: Hello.'])
})

test('does not repeat a greeting that the user has stopped', async () => {
  const { at, page } = await createShown()
  const mind = holdAnswers()
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the model call', () => mind.asked() === 1)
  assert.equal(await setup.post(`${at}/hush`), [200, { status: 'hushed' }])
  mind.go()
  assert.equal(await setup.post(`${at}/greet`), quiet)
  assert.is(await setup.say(at, 'Hello.'), 'You said: Hello.')
  await waitFor('its answer', () => getReplies(page).length > 0)
  assert.equal(getReplies(page), ['You said: Hello.'])
})

// Fails if a refused greeting gets the notice "The model did not answer this", like any other turn.
test('says nothing after the model refuses, and tries again only after a restart', async () => {
  const { at, id, page } = await createShown()
  setup.models.think = async () => {
    throw new MindError('refused', 'No.')
  }
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the end of the turn', async () =>
    (await setup.facts(id)).some((text) => text.includes('TurnEnded')),
  )
  assert.equal(await setup.post(`${at}/greet`), quiet)
  assert.equal(getReplies(page), [])
  setup.models.think = async () => {}
  await setup.post(`${at}/restart`)
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the greeting', () => getReplies(page).length === 1)
})

test('does not call an unreachable model for a greeting until it answers again', async () => {
  const { at, page } = await createShown()
  setup.models.think = async () => {
    throw new MindError('unreachable', 'Nobody is there.')
  }
  setup.models.brokenMethods.probe = 'Nobody is there.'
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the organ to fail', () => page.frames.some(({ title }) => title === 'OrganFailed'))
  assert.equal(await setup.post(`${at}/greet`), quiet)
  delete setup.models.brokenMethods.probe
  setup.models.think = async () => {}
  await setup.post(`${at}/restart`)
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the greeting', () => getReplies(page).some((text) => text.includes('[quiet]')))
})

// Fails if the start opens a pending greeting again: the second daemon then accepts another one.
test('finishes a greeting once after the daemon is killed during it', async () => {
  const { at, id } = await createShown()
  const mind = holdAnswers()
  assert.equal(await setup.post(`${at}/greet`), greeting)
  await waitFor('the model call', () => mind.asked() === 1)
  // The state on disk at this moment.
  const home = await tempHome()
  await cp(setup.daemon.home, home, { recursive: true })
  mind.go()
  const second = await startDaemon({ home, models: standIn(), env: { DAIMON_GREETING: 'on' } })
  cleanups.push(async () => {
    await second.close()
    await rm(home, { recursive: true, force: true })
  })
  const page = await openPage(second.url, id)
  const { body } = await call(second.url, 'POST', `${at}/greet`)
  assert.equal(body, { status: 'quiet' })
  const talk = async () => (await call(second.url, 'GET', `${at}/conversation`)).body.messages
  await waitFor('the greeting', async () => (await talk()).length > 0)
  await call(second.url, 'POST', `${at}/read?wait=20`, { message: 'Hello.' })
  assert.is((await talk()).length, 3)
  assert.ok(getReplies(page).length <= 2)
})

test('greets in a fork from before the first message', async () => {
  const { at, id } = await createShown()
  const { length } = await setup.facts(id)
  await setup.say(at, 'Hello.')
  const [status, { persona }] = await setup.post(`${at}/fork`, { at: length, model: 'llama' })
  assert.is(status, 200)
  const page = await openPage(setup.daemon.url, persona.id)
  assert.equal(await setup.post(`/api/persona/${persona.id}/greet`), greeting)
  await waitFor('the greeting', () => getReplies(page).length === 1)
})

test.run()
