/** The table of transitions in the contract, row by row, for a running and for a stopped persona. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, getTitles, shareSetup } from './setup.ts'

const setup = shareSetup(test)

type Status = 'active' | 'hibernate' | 'sick'
/** `life` is the number of lives so far. */
interface State {
  readonly status: Status
  readonly running: boolean
  readonly life: number
}

const getState = async (id: string): Promise<State> => {
  const { status, running } = await setup.view(id)
  const lives = getTitles(await setup.facts(id)).filter((title) => title.startsWith('Woke '))
  assert.equal(
    lives,
    lives.map((_, i) => `Woke ${i + 1}`),
    'lives are numbered one by one',
  )
  return { status, running, life: lives.length }
}

/** Brings the persona to this status, running or not, before each row. */
const bringTo = async (id: string, status: Status, isRunning: boolean): Promise<State> => {
  const personaPath = `/api/persona/${id}`
  await setup.post(`${personaPath}/update`, { status })
  await setup.post(`${personaPath}/${isRunning ? 'start' : 'stop'}`)
  const state = await getState(id)
  assert.equal({ ...state, life: 0 }, { status, running: isRunning, life: 0 })
  return state
}

type Effect = 'stays' | 'begins a new life' | 'ends'
interface Row {
  readonly trigger: string
  readonly path: string
  readonly body?: object
  readonly answer: (status: Status, isRunning: boolean) => Answer
  readonly status: Status | 'unchanged'
  readonly running: Effect
  readonly effectWhenStopped: Effect
}

const respondOk = (body: unknown) => (): Answer => [200, body]
const respondUpdated =
  (status: Status | 'unchanged', runs: (isRunning: boolean) => boolean) =>
  (was: Status, isRunning: boolean): Answer => [
    200,
    { status: status === 'unchanged' ? was : status, running: runs(isRunning) },
  ]

const rows: readonly Row[] = [
  {
    trigger: 'start',
    path: 'start',
    status: 'unchanged',
    running: 'stays',
    effectWhenStopped: 'begins a new life',
    answer: (_, isRunning) => [200, { status: isRunning ? 'already running' : 'started' }],
  },
  {
    trigger: 'stop',
    path: 'stop',
    status: 'unchanged',
    running: 'ends',
    effectWhenStopped: 'stays',
    answer: (_, isRunning) =>
      isRunning ? [200, { status: 'stopped' }] : [404, { detail: 'Persona is not running.' }],
  },
  {
    trigger: 'restart',
    path: 'restart',
    status: 'unchanged',
    running: 'begins a new life',
    effectWhenStopped: 'begins a new life',
    answer: respondOk({ status: 'restarted' }),
  },
  {
    trigger: 'update with status active',
    path: 'update',
    body: { status: 'active' },
    answer: respondUpdated('active', () => true),
    status: 'active',
    running: 'begins a new life',
    effectWhenStopped: 'begins a new life',
  },
  {
    trigger: 'update with status active and an organ',
    path: 'update',
    body: { status: 'active', thinking: { model: 'qwen' } },
    answer: respondUpdated('active', () => true),
    status: 'active',
    running: 'begins a new life',
    effectWhenStopped: 'begins a new life',
  },
  ...(['hibernate', 'sick'] as const).flatMap((status): Row[] => [
    {
      trigger: `update with status ${status}`,
      path: 'update',
      body: { status },
      answer: respondUpdated(status, () => false),
      status,
      running: 'ends',
      effectWhenStopped: 'stays',
    },
    {
      trigger: `update with status ${status} and an organ`,
      path: 'update',
      body: { status, thinking: { model: 'qwen' } },
      answer: respondUpdated(status, () => false),
      status,
      running: 'ends',
      effectWhenStopped: 'stays',
    },
  ]),
  {
    trigger: 'update with only an organ',
    path: 'update',
    body: { thinking: { model: 'qwen' } },
    answer: respondUpdated('unchanged', (isRunning) => isRunning),
    status: 'unchanged',
    running: 'begins a new life',
    effectWhenStopped: 'stays',
  },
  {
    trigger: 'update with nothing',
    path: 'update',
    body: {},
    answer: respondUpdated('unchanged', (isRunning) => isRunning),
    status: 'unchanged',
    running: 'stays',
    effectWhenStopped: 'stays',
  },
  {
    trigger: 'update with only a name',
    path: 'update',
    body: { name: 'Eva', idle_timeout: 60 },
    answer: respondUpdated('unchanged', (isRunning) => isRunning),
    status: 'unchanged',
    running: 'stays',
    effectWhenStopped: 'stays',
  },
  {
    trigger: 'update that clears a slot with nothing in it',
    path: 'update',
    body: { clear_eye: true },
    answer: respondUpdated('unchanged', (isRunning) => isRunning),
    status: 'unchanged',
    running: 'stays',
    effectWhenStopped: 'stays',
  },
]

/** One persona for all rows, because creating one is slower than all requests to it. */
let persona = ''
test.before(async () => {
  persona = await setup.born()
})

for (const { trigger, path, body, answer, status, running, effectWhenStopped } of rows)
  for (const isRunning of [true, false])
    test(`${trigger}, ${isRunning ? 'running' : 'not running'}: ${isRunning ? running : effectWhenStopped}`, async () => {
      // If the status does not matter, all of them must behave alike. Two are tested.
      for (const was of path === 'update' && status !== 'unchanged'
        ? (['active', 'sick'] as const)
        : (['active', 'hibernate'] as const)) {
        const statusBefore = await bringTo(persona, was, isRunning)
        assert.equal(await setup.post(`/api/persona/${persona}/${path}`, body), answer(was, isRunning))
        const effect = isRunning ? running : effectWhenStopped
        assert.equal(await getState(persona), {
          status: status === 'unchanged' ? was : status,
          running: effect === 'stays' ? isRunning : effect === 'begins a new life',
          life: statusBefore.life + (effect === 'begins a new life' ? 1 : 0),
        })
      }
    })

test('create: active, running, in its first life', async () => {
  assert.equal(await getState(await setup.born()), { status: 'active', running: true, life: 1 })
})

test('delete: removes the persona, running or not', async () => {
  for (const isRunning of [true, false]) {
    const id = await setup.born()
    await bringTo(id, 'active', isRunning)
    assert.equal(await setup.post(`/api/persona/${id}/delete`), [200, null])
    assert.is(await setup.view(id), undefined)
  }
})

test('setting the same status again begins a new life for active and does nothing for the others', async () => {
  const id = await setup.born()
  const updatePath = `/api/persona/${id}/update`
  for (const status of ['active', 'active', 'sick', 'sick', 'hibernate', 'active'] as const)
    await setup.post(updatePath, { status })
  assert.equal(await getState(id), { status: 'active', running: true, life: 4 })
})

test('records turns after a restart in the new life', async () => {
  const id = await setup.born()
  const personaPath = `/api/persona/${id}`
  await setup.say(personaPath, 'one')
  await setup.post(`${personaPath}/restart`)
  await setup.say(personaPath, 'two')
  const lives = (await setup.facts(id))
    .map((text) => JSON.parse(text))
    .filter(({ title }) => title === 'TurnBegan')
  assert.equal(
    lives.map(({ details }) => details.life),
    [1, 2],
  )
})

test('runs concurrent transitions one after the other', async () => {
  const id = await setup.born()
  const personaPath = `/api/persona/${id}`
  const actions = ['restart', 'stop', 'start', 'restart', 'stop', 'start', 'restart']
  const answers = await Promise.all(actions.map((action) => setup.post(`${personaPath}/${action}`)))
  for (const [status] of answers) assert.ok([200, 404].includes(status), String(status))
  const { running, life } = await getState(id)
  await setup.post(`${personaPath}/restart`)
  assert.equal(await getState(id), { status: 'active', running: true, life: life + 1 })
  assert.type(running, 'boolean')
})

test.run()
