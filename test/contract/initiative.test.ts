/** The routes of messages that a persona writes by itself, with the practice model. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock, drainQueue } from '../clock.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'

const hour = 3_600_000

const create = async (url: string, initiative?: string): Promise<string> => {
  const body = { name: 'Ada', thinking_model: 'embedded/practice', ...(initiative && { initiative }) }
  return (await call(url, 'POST', '/api/persona/create', body)).body.persona.id
}
const say = (url: string, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const getInitiative = async (url: string, id: string) =>
  (await call(url, 'GET', `/api/persona/${id}/initiative`)).body
const sleep = (url: string, id: string) => call(url, 'POST', `/api/persona/${id}/sleep`)

const withDaemon = (
  claim: string,
  look: (daemon: TestDaemon, clock: ReturnType<typeof createFakeClock>) => Promise<void>,
) =>
  test(claim, async () => {
    const clock = createFakeClock('2026-11-23T10:15:00+01:00', 'Europe/Berlin', drainQueue)
    const daemon = await startDaemon({ clock })
    try {
      await look(daemon, clock)
    } finally {
      await daemon.close()
    }
  })

withDaemon('is off at first, and stores the choice of the user', async ({ url }) => {
  const id = await create(url)
  const path = `/api/persona/${id}/initiative`
  assert.equal(await getInitiative(url, id), {
    level: 'off',
    zone: 'Europe/Berlin',
    own_zone: false,
    quiet_from: '21:00',
    quiet_until: '09:00',
    unanswered: false,
    reasons: [],
    recent: [],
  })
  const { status, body } = await call(url, 'PUT', path, {
    level: 'lively',
    zone: 'asia/tokyo',
    quiet_from: '22:30',
  })
  assert.is(status, 200)
  assert.equal(
    [body.level, body.zone, body.own_zone, body.quiet_from, body.quiet_until],
    ['lively', 'Asia/Tokyo', true, '22:30', '09:00'],
  )
  assert.is((await call(url, 'PUT', path, { zone: null })).body.zone, 'Europe/Berlin')
  assert.is((await call(url, 'PUT', path, { zone: 'Atlantis' })).status, 400)
  for (const wrong of [{ level: 'chatty' }, { quiet_from: '25:00' }, { quiet_until: 9 }])
    assert.is((await call(url, 'PUT', path, wrong)).status, 422, JSON.stringify(wrong))
  assert.is((await call(url, 'GET', '/api/persona/nobody/initiative')).status, 404)
  assert.is((await getInitiative(url, await create(url, 'gentle'))).level, 'gentle')
  const withZone = (zone: string) =>
    call(url, 'POST', '/api/persona/create', {
      name: 'Eve',
      thinking_model: 'embedded/practice',
      initiative: 'gentle',
      initiative_zone: zone,
    })
  const eve = await getInitiative(url, (await withZone('asia/tokyo')).body.persona.id)
  assert.equal([eve.level, eve.zone, eve.own_zone], ['gentle', 'Asia/Tokyo', true])
  assert.is((await withZone('Atlantis')).status, 400)
})

withDaemon('notes a reason with the practice model, and writes once at its time', async ({ url }, clock) => {
  const id = await create(url, 'gentle')
  await say(url, id, 'I have a job interview tomorrow at ten.')
  await sleep(url, id)
  const { reasons } = await getInitiative(url, id)
  assert.equal(
    reasons.map(({ kind, time, reason }: Record<string, string>) => [kind, time, reason]),
    [
      [
        'follow-up',
        '2026-11-24T13:00:00.000+01:00',
        'Ask how it went: “I have a job interview tomorrow at ten.”',
      ],
    ],
  )
  await clock.advance(27 * hour)
  for (let n = 0; n < 6; n++) await clock.advance(60_000)
  for (let tries = 0; tries < 200; tries++) {
    if ((await getInitiative(url, id)).recent.length > 0) break
    await clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { recent, unanswered } = await getInitiative(url, id)
  assert.is(recent[0].outcome, 'spoke')
  assert.is(unanswered, true)
  const { messages } = (await call(url, 'GET', `/api/persona/${id}/conversation`)).body
  const written = messages.filter(({ content }: { content: string }) => content.includes('How did it go?'))
  assert.equal(
    written.map((message: { id: number; turn: null }) => [message.id, message.turn]),
    [[recent[0].message, null]],
  )
  const less = await call(url, 'PATCH', `/api/persona/${id}/initiative/${recent[0].id}`, { less: true })
  assert.is(less.body.recent[0].disliked, true)
})

withDaemon('changes and removes a reason, and refuses invalid fields', async ({ url }) => {
  const id = await create(url, 'gentle')
  await say(url, id, 'I have a job interview tomorrow at ten.')
  await say(url, id, 'I still have to write the letter to my aunt.')
  await sleep(url, id)
  const { reasons } = await getInitiative(url, id)
  assert.is(reasons.length, 2)
  const [first, second] = reasons
  const path = (reason: string) => `/api/persona/${id}/initiative/${reason}`
  const changed = await call(url, 'PATCH', path(first.id), {
    when: '2026-11-25T12:00',
    reason: 'Ask about it.',
  })
  assert.equal(
    changed.body.reasons.map(({ reason, time }: Record<string, string>) => [reason, time]).slice(0, 1),
    [['Ask about it.', '2026-11-25T12:00:00.000+01:00']],
  )
  assert.is((await call(url, 'PATCH', path(first.id), { when: '2020-01-01T12:00' })).status, 400)
  assert.is((await call(url, 'PATCH', path(first.id), { when: 'soon' })).status, 400)
  assert.is((await call(url, 'PATCH', path(first.id), { reason: ' ' })).status, 400)
  assert.is((await call(url, 'PATCH', path(first.id), { reason: 'x'.repeat(301) })).status, 400)
  assert.is((await call(url, 'PATCH', path('nobody'), { less: true })).status, 404)
  assert.is((await call(url, 'DELETE', path(first.id))).status, 200)
  assert.is((await call(url, 'DELETE', path(first.id))).status, 404)
  assert.equal((await call(url, 'PATCH', path(second.id), { less: true })).body.reasons, [])
})

withDaemon('an undone choice and a removed reason come back', async ({ url }) => {
  const id = await create(url, 'gentle')
  await say(url, id, 'I have a job interview tomorrow at ten.')
  await sleep(url, id)
  const [reason] = (await getInitiative(url, id)).reasons
  await call(url, 'DELETE', `/api/persona/${id}/initiative/${reason.id}`)
  const undoLast = async (type: string) => {
    const lines = (await call(url, 'GET', `/api/persona/${id}/journal?type=${type}&last=1`)).body
    const seq = (typeof lines === 'string' ? JSON.parse(lines) : lines).seq
    return call(url, 'POST', `/api/persona/${id}/undo`, { seq })
  }
  assert.is((await undoLast('InitiativeRemoved')).status, 200)
  assert.equal((await getInitiative(url, id)).reasons, [reason])
  assert.is((await undoLast('InitiativeChosen')).status, 200)
  assert.is((await getInitiative(url, id)).level, 'off')
})

withDaemon('an erased message takes its reasons with it', async ({ url }, clock) => {
  const id = await create(url, 'gentle')
  await say(url, id, 'I have a job interview tomorrow at ten.')
  await sleep(url, id)
  const [reason] = (await getInitiative(url, id)).reasons
  const { status } = await call(url, 'POST', `/api/persona/${id}/erase`, { seqs: reason.sources })
  assert.is(status, 200)
  assert.equal((await getInitiative(url, id)).reasons, [])
  await clock.advance(28 * hour)
  const { messages } = (await call(url, 'GET', `/api/persona/${id}/conversation`)).body
  assert.ok(messages.every(({ content }: { content: string }) => !content.includes('How did it go')))
})

test.run()
