/**
 * Random lives: the state at any position equals the fold of the facts up to it, and the answers that the
 * routes gave then.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { isoIn } from '../../packages/kit/time/clock.ts'
import { toDocuments } from '../../projections/knowledge.ts'
import { listMemories } from '../../projections/memories.ts'
import { listValues } from '../../projections/persistent-map.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { loadSecondPerson } from '../../src/http/routes/memory.ts'
import { type Line, readAudit } from '../audit-stream.ts'
import { call } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { type Answer, createGet, type GetJson, readPast, readPresent } from '../persona-state.ts'
import { type Chance, createChance } from '../random.ts'

const histories = scaleSize(1000, 250)
const zone = 'Europe/Berlin'

interface Life {
  readonly url: string
  readonly id: string
  readonly get: GetJson
  readonly clock: FakeClock
  readonly chance: Chance
}

const test = suite('history')

/** Fails if the usage counts all calls, and if a historical journal is read up to its head. */
test('the state at any position equals the fold of its facts and the answers given then', async () => {
  const chance = createChance('histories')
  const clock = createFakeClock('2026-11-23T09:00:00+01:00', zone)
  const daemon = await startDaemon({ clock })
  let n = 0
  let positions = 0
  let moments = 0
  let facts = 0
  for (; n < histories; n++) {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: `Ada ${n}`,
      thinking_model: 'embedded/practice',
    })
    const life: Life = { url: daemon.url, id: body.persona.id, get: createGet(daemon.url), clock, chance }
    const answersBySeq = new Map<number, Answer>()
    const steps = chance.pickBetween(3, 14)
    for (let step = 0; step < steps; step++) {
      await takeRandomStep(life)
      if (chance.next() < 0.4) await recordAnswers(life, answersBySeq)
    }
    await post(life, 'stop')
    const lines = await readAudit(daemon.url, life.id)
    for (const [seq, answersThen] of answersBySeq)
      assert.equal(await readPast(life.get, life.id, seq), answersThen, `history ${n}, ${seq}`)
    let persona: Persona | undefined
    for (const { seq, at, type, payload } of lines) {
      persona = evolve(persona, { seq, at: Date.parse(at), event: { type, ...payload } as PersonaEvent })
      if (seq % 10 !== 0 && seq !== 1 && seq !== lines.length) continue
      await compare(life, persona, lines.slice(0, seq), `history ${n}, ${seq}`)
      positions++
    }
    moments += answersBySeq.size
    facts += lines.length
    await call(daemon.url, 'POST', `/api/persona/${life.id}/delete?purge=true`)
  }
  await daemon.close()
  printFigures('histories', `${n} lives, ${facts} facts`, `${positions} positions, ${moments} moments`)
})

/** Records the current answers, unless a fact was written meanwhile. */
const recordAnswers = async ({ url, id, get }: Life, answersBySeq: Map<number, Answer>): Promise<void> => {
  const head = async () => (await readAudit(url, id, '?last=1'))[0]?.seq as number
  const headBefore = await head()
  const stateNow = await readPresent(get, id)
  if (headBefore === (await head())) answersBySeq.set(headBefore, stateNow)
}

const compare = async (
  { get, id }: Life,
  persona: Persona,
  lines: readonly Line[],
  label: string,
): Promise<void> => {
  const { knowledge, plans, self } = persona
  const answers = await get(`/api/persona/${id}/history?at=${lines.length}`)
  const ofType = (type: string) => lines.filter((line) => line.type === type)
  assert.equal(answers.at, { seq: lines.length, time: lines.at(-1)?.at }, label)
  assert.equal(
    answers.memories,
    JSON.parse(
      JSON.stringify(
        listMemories(knowledge, null, (time) => isoIn(zone, time)).map(await loadSecondPerson()),
      ),
    ),
    label,
  )
  assert.equal(answers.knowledge.memory, toDocuments(knowledge), label)
  assert.equal(answers.instructions.length, listValues(knowledge.instructions).length, label)
  assert.equal(
    [answers.persona.name, answers.status, answers.persona.idle_timeout],
    [self.name, self.status, self.idleTimeout],
  )
  assert.equal(answers.persona.eye?.name ?? null, self.organs.eye?.model ?? null, label)
  const open = [...answers.calendar.schedule, ...answers.calendar.reminder].map(({ id }: Answer) => id)
  assert.equal(
    open.sort(),
    listValues(plans.open)
      .map(({ id }) => id)
      .sort(),
    label,
  )
  assert.equal(answers.calendar.due.length, plans.due.length, label)
  const talk = lines.filter(({ type }) => type === 'MessageHeard' || type === 'MessageSpoken')
  assert.equal(
    answers.conversation.map(({ id }: Answer) => id),
    talk.slice(-50).map(({ seq }) => seq),
    label,
  )
  assert.is(answers.usage.total.calls, ofType('ModelAnswered').length + ofType('ModelFailed').length, label)
  assert.is(answers.days.length > 0, ofType('DayClosed').length > 0, label)
}

const post = ({ url, id }: Life, path: string, body?: object) =>
  call(url, 'POST', `/api/persona/${id}/${path}`, body)

const send = async ({ url, id }: Life, method: string, path: string, body?: object): Promise<void> => {
  await fetch(`${url}/api/persona/${id}/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
}

const messages = [
  'My name is Kim.',
  'I like tea.',
  'Remind me tomorrow at nine to water the plants.',
  'Hello',
] as const

/** Performs one random action. */
const takeRandomStep = async (life: Life): Promise<void> => {
  const { chance, clock, get, id } = life
  const personaPath = `/api/persona/${id}`
  switch (chance.pickBetween(0, 11)) {
    case 0:
    case 1:
    case 2:
      return void (await post(life, 'read?wait=20', { message: chance.pick(messages) }))
    case 3:
      return void (await post(life, 'memories', {
        document: chance.pick(['person', 'wishes']),
        text: `No. ${chance.next()}`,
      }))
    case 4: {
      const [first] = (await get(`${personaPath}/memories`)).memories
      if (!first) return
      if (chance.next() < 0.5) return send(life, 'DELETE', `memories/${first.id}`)
      return send(
        life,
        'PATCH',
        `memories/${first.id}`,
        first.forgotten ? { forgotten: false } : { text: `Now ${chance.next()}` },
      )
    }
    case 5:
    case 6: {
      const wall = new Date(clock.now() + chance.pickBetween(1, 100) * 3_600_000).toISOString().slice(0, 16)
      const recurrence = chance.pick([null, 'daily'])
      const kind = chance.pick(['reminder', 'schedule'])
      return send(life, 'POST', 'calendar', { kind, when: wall, content: `do ${chance.next()}`, recurrence })
    }
    case 7: {
      const { destiny } = await get(`${personaPath}/calendar?start=1971-01-01&end=9998-01-01`)
      const [first] = [...destiny.reminder, ...destiny.schedule]
      if (!first) return
      if (chance.next() < 0.5) return send(life, 'DELETE', `calendar/${first.id}`)
      return send(life, 'PATCH', `calendar/${first.id}`, { content: `done ${chance.next()}` })
    }
    case 8:
      return void (await post(life, 'update', {
        name: `Ada ${chance.next()}`,
        idle_timeout: chance.pickBetween(60, 9000),
      }))
    case 9:
      return void (await post(
        life,
        'update',
        chance.pick([{ eye: { model: 'embedded/practice' } }, { clear_eye: true }]),
      ))
    case 10:
      return void (await post(life, chance.pick(['stop', 'start', 'restart', 'sleep'])))
    default:
      clock.leap(chance.pickBetween(-5, 30) * 3_600_000)
      // Due reminders are noticed within a minute.
      if (chance.next() < 0.3) await clock.advance(61_000)
  }
}

test.run()
