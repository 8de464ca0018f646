/** GET /api/persona/{persona_id}/diagnose, and the tool by which the persona checks its own health. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Journal } from '../../facts/persona-journal.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { checkHealth } from '../../src/mind/tools/check-health.ts'
import type { ToolContext } from '../../src/mind/tools/tool.ts'
import type { Vitals } from '../../src/persona/persona-store.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { createHome, createModelAnswered, createModelFailed } from '../create-journal.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { standIn } from '../http/stand-in.ts'
import { born, createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { isValid } from './schema.ts'
import { joinKeys, unknownPersona } from './setup.ts'

const noon = '2026-11-23T12:00:30+01:00'
const practice = { model: 'embedded/practice', provider: null } as const
const evening = Date.parse('2026-10-01T22:00:00+02:00')
const closedDay = (n: number, seq: number) =>
  ({
    type: 'DayClosed',
    after: 0,
    upTo: seq,
    began: evening,
    ended: evening,
    summary: `day ${n}`,
    by: 'mind',
  }) as const

let home: string
let daemon: TestDaemon
const restart = async () => {
  await daemon?.close()
  daemon = await startDaemon({ home, clock: createFakeClock(noon, 'Europe/Berlin') })
}
const getDiagnosis = async (url: string, id: string) => {
  const { status, body } = await call(url, 'GET', `/api/persona/${id}/diagnose`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const getAdaDiagnosis = () => getDiagnosis(daemon.url, 'ada')

/**
 * Facts 3 and 4 are consolidated. 40 closed days. An Eye that failed with a previous model, and a Mind that
 * failed and is marked as failing.
 */
test.before(async () => {
  const previousModel = { ...practice, model: 'another' }
  home = await createHome([
    {
      at: '2026-10-01T09:00:00+02:00',
      events: [createMessageHeard('long ago'), createMessageSpoken('indeed')],
    },
    {
      at: '2026-10-01T10:00:00+02:00',
      events: [
        {
          type: 'ContextCarried',
          after: 0,
          upTo: 4,
          carry: 'You spoke of old times.',
          summary: '',
          borrowed: [],
        },
      ],
    },
    ...Array.from({ length: 40 }, (_, n) => ({
      at: '2026-10-02T04:00:00+02:00',
      events: [closedDay(n + 1, n + 1)],
    })),
    {
      at: '2026-11-22T09:00:00+01:00',
      events: [{ type: 'OrganReplaced', slot: 'eye', organ: { ...practice, url: null, key: null } }],
    },
    {
      at: '2026-11-22T09:00:00+01:00',
      events: [
        createModelFailed({ organ: 'eye', ...previousModel, reason: 'that one is gone' }),
        createModelAnswered({ ...practice }),
      ],
    },
    {
      at: '2026-11-23T11:00:00+01:00',
      events: [
        createMessageHeard('hello'),
        createModelFailed({ ...practice, kind: 'barred', reason: 'no such key' }),
      ],
    },
    {
      at: '2026-11-23T11:00:01+01:00',
      events: [
        { type: 'OrganFailed', slot: 'thinking', reason: 'no such key' },
        createMessageSpoken(`oh ${'x'.repeat(5000)}`),
      ],
    },
  ])
  await restart()
})
test.after(async () => {
  await daemon.close()
  await rm(home, { recursive: true, force: true })
})

test('shows the context of the Mind: the unconsolidated messages, the closed days and the carried summary', async () => {
  const { mind } = await getAdaDiagnosis()
  assert.equal(mind.messages[0], {
    id: 49,
    role: 'person',
    content: 'hello',
    time: '2026-11-23T11:00:00.000+01:00',
  })
  assert.is(mind.messages.length, 2)
  assert.match(mind.messages[1].content, /^oh x{1997}… 3003 more characters$/)
  assert.is(mind.archive.length, 30)
  assert.equal(
    [mind.archive[0], mind.archive[29].body],
    [{ time: '2026-10-01T22:00:00.000+02:00', body: 'day 40' }, 'day 11'],
  )
  assert.is(mind.context, 'You spoke of old times.')
})

test('shows each organ with the last failure of its current model', async () => {
  const { organs, status, running, reason } = await getAdaDiagnosis()
  const states = (await call(daemon.url, 'GET', '/api/persona/ada/organs')).body
  assert.equal(
    states.organs,
    Object.fromEntries(
      Object.entries<{ state: string }>(organs).map(([slot, { state }]) => [slot, { state }]),
    ),
  )
  assert.equal(organs, {
    thinking: {
      ...practice,
      state: 'failing',
      last_error: { reason: 'no such key', time: '2026-11-23T11:00:00.000+01:00', kind: 'barred' },
      profile: 'full',
    },
    eye: { ...practice, state: 'well', last_error: null },
  })
  assert.equal([status, running, reason], ['active', false, null])
})

test('shows 24 hours in minutes up to the current one, and matches the API description', async () => {
  const body = await getAdaDiagnosis()
  assert.is(
    joinKeys(body),
    'status running reason mind uptime organs channels journal idle_timeout diaries version',
  )
  const { rows } = body.uptime
  assert.equal([rows.length, rows[23].cells.length], [24, 60])
  assert.equal([rows[0].from, rows[0].to], ['2026-11-23T11:01:00.000+01:00', '2026-11-23T12:01:00.000+01:00'])
  assert.equal(rows[0].cells[0], {
    at: '2026-11-23T12:00:00.000+01:00',
    tick: false,
    fault: false,
    providers: [],
    signals: [],
  })
  const { body: description } = await call(daemon.url, 'GET', '/openapi.json')
  const { responses } = description.paths['/api/persona/{persona_id}/diagnose'].get
  assert.ok(
    isValid(responses['200'].content['application/json'].schema, body, description.components.schemas),
  )
  assert.equal(Object.keys(responses), ['200', '403', '404'])
  const { status, body: nobodyReply } = await call(daemon.url, 'GET', '/api/persona/nobody/diagnose')
  assert.equal([status, nobodyReply], [...unknownPersona])
})

test('shows the diaries, how many only an older phrase opens, and the idle timeout', async () => {
  const setup = await startDaemon({ models: standIn(), clock: createFakeClock(noon, 'Europe/Berlin') })
  try {
    const createFields = { name: 'Ada', thinking_model: 'llama' }
    const creation = await call(setup.url, 'POST', '/api/persona/create', createFields)
    const personaPath = `/api/persona/${creation.body.persona.id}`
    const first = await getDiagnosis(setup.url, creation.body.persona.id)
    assert.is(first.idle_timeout, 3600)
    assert.equal([first.diaries.kept, first.diaries.older], [1, 0])
    assert.equal(
      [first.diaries.last.time, first.diaries.last.bytes > 100],
      ['2026-11-23T12:00:30.000+01:00', true],
    )
    await call(setup.url, 'POST', `${personaPath}/update`, { idle_timeout: 90 })
    const { body: newPhrase } = await call(setup.url, 'POST', `${personaPath}/phrase`)
    const laterDiagnosis = await getDiagnosis(setup.url, creation.body.persona.id)
    assert.is(laterDiagnosis.idle_timeout, 90)
    assert.equal([laterDiagnosis.diaries.kept, laterDiagnosis.diaries.older], [2, newPhrase.older])
    assert.is(laterDiagnosis.diaries.last.events, newPhrase.diary.events)
  } finally {
    await setup.close()
  }
})

test('shows when the journal was last verified, also after a restart and after a newer fact', async () => {
  const journalBefore = (await getAdaDiagnosis()).journal
  assert.is(journalBefore.verified_at, null)
  assert.ok(journalBefore.bytes > 1000)
  const { body } = await call(daemon.url, 'POST', '/api/persona/ada/verify')
  assert.equal([journalBefore.events, journalBefore.head], [body.events, body.head])
  await call(daemon.url, 'POST', '/api/persona/ada/update', { name: 'Bea' })
  assert.is((await getAdaDiagnosis()).journal.verified_at, '2026-11-23T12:00:30.000+01:00')
  await restart()
  const journalAfter = (await getAdaDiagnosis()).journal
  assert.equal(
    [journalAfter.events, journalAfter.verified_at],
    [journalBefore.events + 1, '2026-11-23T12:00:30.000+01:00'],
  )
})

test('shows the readable part of a damaged journal and the reason', async () => {
  await daemon.close()
  await damageJournal(home, 'ada', 50)
  daemon = await startDaemon({ home, clock: createFakeClock(noon, 'Europe/Berlin') })
  const { status } = await call(daemon.url, 'POST', '/api/persona/ada/verify')
  assert.is(status, 200)
  const { journal, mind, reason, ...rest } = await getAdaDiagnosis()
  assert.equal([rest.status, rest.running, journal.events], ['sick', false, 49])
  assert.match(reason, /^Its journal is damaged \(record 50: .*\)\. Salvage it/)
  assert.equal([mind.messages.length, mind.archive.length, mind.context], [1, 30, 'You spoke of old times.'])
  assert.equal([rest.uptime.rows.length, Object.keys(rest.organs)], [24, ['thinking', 'eye']])
  await daemon.close()
  await damageJournal(home, 'ada', 1)
  daemon = await startDaemon({ home, clock: createFakeClock(noon, 'Europe/Berlin') })
  const worse = await getAdaDiagnosis()
  assert.equal([worse.status, worse.mind.messages], ['sick', []])
  assert.match(worse.reason, /record 1/)
  assert.is(worse.uptime.rows.length, 24)
})

// Fails if the keyring treats a lost key as one that never existed: the organ is then shown as well, and
// nothing is logged.
test('lists the organs whose saved key is damaged, logs it once and shows no key', async () => {
  const ownHome = await tempHome()
  const models = standIn()
  const cloud = {
    thinking_model: 'gpt',
    thinking_provider: 'openai',
    thinking_api_key: 'sk-her-mind-key',
    eye_model: 'llava',
  }
  const lines: string[] = []
  const open = () =>
    startDaemon({
      home: ownHome,
      models,
      clock: createFakeClock(noon),
      logTo: (line) => void lines.push(line),
    })
  let setup = await open()
  try {
    const creation = await call(setup.url, 'POST', '/api/persona/create', { name: 'Ada', ...cloud })
    const { id } = creation.body.persona
    assert.is((await getDiagnosis(setup.url, id)).organs.thinking.state, 'well')
    await setup.close()
    const file = join(ownHome, 'personas', id, 'secrets')
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0, 10, 14))

    models.brokenMethods.probe = 'Nobody answers there.'
    setup = await open()
    const { reason } = await waitFor('a failing start', async () => {
      const current = await getDiagnosis(setup.url, id)
      return current.reason?.startsWith('Nobody') && current
    })
    assert.is(reason, 'Nobody answers there.')
    delete models.brokenMethods.probe
    assert.is((await call(setup.url, 'POST', `/api/persona/${id}/start`)).status, 200)

    const keyReason = 'Saved keys were damaged or lost: enter the key of the Mind again.'
    const sick = await getDiagnosis(setup.url, id)
    assert.equal([sick.running, sick.reason], [true, keyReason])
    const failingOrgan = { model: 'gpt', provider: 'openai', state: 'failing', key_missing: true }
    assert.equal(sick.organs, {
      thinking: { ...failingOrgan, last_error: { reason: keyReason, time: null, kind: 'barred' } },
      eye: { model: 'llava', provider: null, state: 'well', last_error: null },
    })
    assert.is(lines.filter((line) => line.includes(keyReason)).length, 1)
    assert.ok(![JSON.stringify(sick), ...lines].some((text) => text.includes('sk-her')))

    const key = { thinking: { model: 'gpt', provider: 'openai', api_key: 'sk-her-new-key' } }
    assert.is((await call(setup.url, 'POST', `/api/persona/${id}/update`, key)).status, 200)
    const recovered = await getDiagnosis(setup.url, id)
    assert.equal([recovered.reason, recovered.organs.thinking.key_missing], [null, undefined])
  } finally {
    await setup.close()
    await rm(ownHome, { recursive: true, force: true })
  }
})

test('shows a heartbeat, a start and a failure in the minutes', async () => {
  const models = standIn()
  const clock = createFakeClock(noon)
  const setup = await startDaemon({ models, clock })
  try {
    const { body } = await call(setup.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
    })
    const { id } = body.persona
    await clock.advance(60_000)
    const rows = async () => (await getDiagnosis(setup.url, id)).uptime.rows[0].cells
    const [now, before] = await waitFor('a heartbeat', async () => {
      const cells = await rows()
      return cells[0].tick && cells
    })
    assert.equal([now.fault, now.signals, before.tick, before.signals], [false, [], true, ['woke']])
    models.brokenMethods.probe = 'Nobody answers there.'
    await call(setup.url, 'POST', `/api/persona/${id}/update`, { status: 'active' })
    const [failed] = await rows()
    assert.ok(failed.fault && failed.providers.includes('local') && failed.signals.includes('waking failed'))
  } finally {
    await setup.close()
  }
})

test('reports status, last sleep, missing keys and the verification of the journal to the persona', async () => {
  const facts = [
    born,
    ...[
      {
        type: 'OrganReplaced',
        slot: 'eye',
        organ: { model: 'opus', provider: 'anthropic', url: null, key: 'k' },
      } as const,
    ],
    ...[{ type: 'StatusSet', status: 'sick', reason: 'nobody answers' } as const],
    ...[
      { type: 'SleepBegan', life: 1, by: 'clock' } as const,
      { type: 'SleepEnded', life: 1, outcome: 'slept', reason: null } as const,
    ],
  ]
  const epoch = Date.parse('2026-11-23T04:00:00+01:00')
  const persona = facts.reduce<Persona | undefined>(
    (state, event, n) => evolve(state, { seq: n + 1, at: epoch, event }),
    undefined,
  )
  const vitals: Vitals = { head: { seq: 5, hash: '' }, bytes: 0, verified: epoch, keyless: ['eye'] }
  const context = {
    persona,
    journal: { head: vitals.head } as Journal,
    vitals: async () => vitals,
    zone: 'Europe/Berlin',
  }
  const { output } = await checkHealth.run({}, context as ToolContext)
  const time = '2026-11-23T04:00:00.000+01:00'
  const { organs, ...report } = output as {
    readonly organs: readonly { readonly organ: string; readonly reason?: string }[]
  }
  assert.equal(report, {
    status: 'sick',
    reason: 'nobody answers',
    channels_waiting: 0,
    due: 0,
    slept: { at: time, well: true },
    journal: { events: 5, found_whole_at: time },
  })
  assert.match(organs.find(({ organ }) => organ === 'eye')?.reason ?? '', /enter the key of the Eye again/)
})

test.run()
