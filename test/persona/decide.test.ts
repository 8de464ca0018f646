import { test } from 'uvu'
import type { EventOf, PersonaEvent } from '../../journal/events.ts'
import type { Command, RecordAnswer, UpdatePersona } from '../../src/persona/commands.ts'
import { awake, born, given, heard, minded, opus, web } from './given.ts'

const update = (asked: Partial<UpdatePersona>): Command => ({ type: 'UpdatePersona', organs: {}, clear: [], ...asked })
const gpt = { ...opus, model: 'gpt' }
const eye: PersonaEvent = { type: 'OrganReplaced', slot: 'eye', organ: opus }
const began = (upTo: number, due: string[] = []): PersonaEvent => ({
  type: 'TurnBegan',
  life: 1,
  channel: web,
  stimuli: { after: 0, upTo, due },
})
const planned: EventOf<'EntryPlanned'> = {
  type: 'EntryPlanned',
  id: 'p1',
  kind: 'reminder',
  wall: '2026-11-24T09:00:00',
  zone: 'Europe/Berlin',
  content: 'call mum',
  recurrence: 'daily',
  anchor: '2026-11-24T09:00:00',
}
const answer = (text: string, more: Partial<RecordAnswer> = {}): RecordAnswer => ({
  type: 'RecordAnswer',
  life: 1,
  turn: 6,
  step: 1,
  used: {
    organ: 'thinking',
    provider: null,
    model: 'm',
    usage: { input: 1, output: 1, cached: null, made: null },
    ms: 5,
    calls: 1,
    price: null,
    recipe: { parts: [], sent: 'a'.repeat(64) },
  },
  answer: { text, calls: [] },
  part: null,
  ...more,
})

test('a persona is created active and asked to start', () => {
  given()
    .when({ type: 'CreatePersona', id: 'p', name: 'Ada', birthday: '2026-06-04', recipient: 'age1', organs: { thinking: opus } })
    .writes(born, minded, { type: 'StartAsked' })
})
test('a persona is created once', () => {
  given(born).when({ type: 'CreatePersona', id: 'p', name: 'Ada', birthday: '', recipient: 'age1', organs: {} }).refuses('persona_exists')
})
test('a local Mind needs a name, and so does a remote one', () => {
  given()
    .when({ type: 'CreatePersona', id: 'p', name: '', birthday: '', recipient: 'age1', organs: { thinking: { ...opus, model: '' } } })
    .refuses('model_missing')
})
test('an empty name is a name, an endless one is not', () => {
  given()
    .when({ type: 'CreatePersona', id: 'p', name: '', birthday: '2026-06-04', recipient: 'age1', organs: {} })
    .writes({ ...born, name: '' } as PersonaEvent, { type: 'StartAsked' })
  given()
    .when({ type: 'CreatePersona', id: 'p', name: 'x'.repeat(1001), birthday: '', recipient: 'age1', organs: {} })
    .refuses('too_long')
})
test('nothing can be asked of a persona that is not or is no more', () => {
  given().when({ type: 'AskStart' }).refuses('persona_unknown')
  given(born, { type: 'PersonaDeleted' }).when({ type: 'AskStart' }).refuses('persona_unknown')
})

test('lets a clear flag win over a new organ for the same slot', () => {
  given(born, eye)
    .when(update({ organs: { eye: gpt }, clear: ['eye'] }))
    .writes({ type: 'OrganRemoved', slot: 'eye' })
})
test('clearing what is not there writes nothing', () => {
  given(born)
    .when(update({ clear: ['ear'] }))
    .writes()
})
test('a status of another word or type is refused', () => {
  for (const status of ['sleeping', '', 5, {}, [], true]) given(born).when(update({ status })).refuses('status_invalid')
})
test('a null status is no status', () => {
  given(born)
    .when(update({ status: null }))
    .writes()
})
test('an idle timeout is a whole number of seconds', () => {
  for (const idleTimeout of [0, -1, 1.5, '60', Number.MAX_VALUE]) given(born).when(update({ idleTimeout })).refuses('idle_timeout_invalid')
  given(born)
    .when(update({ idleTimeout: 60 }))
    .writes({ type: 'IdleTimeoutSet', seconds: 60 })
})
test('a status is written after the organs that came with it', () => {
  given(born, minded)
    .when(update({ status: 'active', organs: { thinking: gpt }, name: 'Bo' }))
    .writes(
      { type: 'Renamed', name: 'Bo' },
      { type: 'OrganReplaced', slot: 'thinking', organ: gpt },
      { type: 'StatusSet', status: 'active', reason: null },
    )
})

test('a message heard before is heard once', () => {
  const hear = { type: 'Hear', channel: web, content: 'hi', media: null, key: 'k' } as const
  given(...awake)
    .when(hear)
    .writes(heard('hi', 'k'))
  given(...awake, heard('hi', 'k'))
    .when(hear)
    .writes()
})

test('a turn takes all that waits in its channel and all that fell due', () => {
  given(...awake, heard('one'), heard('two'), planned, { type: 'EntryDue', id: 'p1' })
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 6, due: ['p1'] } })
})
test('a turn takes nothing twice', () => {
  const ended: PersonaEvent = { type: 'TurnEnded', turn: 6, outcome: 'answered', reason: null }
  given(...awake, heard('one'), began(5), ended)
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .refuses('nothing_waits')
  given(...awake, heard('one'), began(5), ended, heard('two'))
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 5, upTo: 8, due: [] } })
})
test('what an unreachable Mind did not answer waits on', () => {
  const ended: PersonaEvent = { type: 'TurnEnded', turn: 6, outcome: 'unreachable', reason: 'x' }
  given(...awake, heard('one'), began(5), ended)
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 5, due: [] } })
})

test('words without a call end the turn in the commit that records them', () => {
  const { type: _, life: __, used, part: ___, ...recorded } = answer('Hello.')
  given(...awake, heard('one'), began(5))
    .when(answer(' Hello. '))
    .writes(
      { ...recorded, answer: { text: ' Hello. ', calls: [] }, ...used, type: 'ModelAnswered', cause: 'turn' },
      { type: 'MessageSpoken', turn: 6, step: 1, channel: web, content: 'Hello.', media: null },
      { type: 'TurnEnded', turn: 6, outcome: 'answered', reason: null },
    )
})
test('an answer of an earlier life is refused, and one for an ended turn', () => {
  given(...awake, heard('one'), began(5), { type: 'Woke', life: 2 })
    .when(answer('x'))
    .refuses('life_over')
  given(...awake, heard('one'), began(5), { type: 'Stopped', life: 1 })
    .when(answer('x'))
    .refuses('life_over')
  given(...awake, heard('one'), began(5), { type: 'TurnEnded', turn: 6, outcome: 'hushed', reason: null })
    .when(answer('x'))
    .refuses('turn_over')
})
test('hushing keeps what she was saying and ends the turn', () => {
  given(...awake, heard('one'), began(5))
    .when({ type: 'Hush', said: { turn: 6, step: 1, text: 'Once upon ' } })
    .writes(
      { type: 'MessageSpoken', turn: 6, step: 1, channel: web, content: 'Once upon', media: null },
      { type: 'TurnEnded', turn: 6, outcome: 'hushed', reason: null },
    )
})
test('hushing never doubles words that are recorded already', () => {
  const {
    type: _,
    life: __,
    used,
    part: ___,
    ...recorded
  } = answer('Let me look.', { answer: { text: 'Let me look.', calls: [{ id: 'c', name: 'recall', input: {} }] } })
  given(...awake, heard('one'), began(5), { ...recorded, ...used, type: 'ModelAnswered', cause: 'turn' })
    .when({ type: 'Hush', said: { turn: 6, step: 1, text: 'Let me look.' } })
    .writes({ type: 'TurnEnded', turn: 6, outcome: 'hushed', reason: null })
})
test('hushing a quiet persona writes nothing', () => {
  given(...awake)
    .when({ type: 'Hush', said: null })
    .writes()
})

test('a tool whose effect is gone is refused as a whole', () => {
  const call = { id: 'c', name: 'remember', input: {} }
  given(...awake, heard('one'), began(5))
    .when({
      type: 'RecordToolAnswer',
      life: 1,
      turn: 6,
      step: 1,
      call,
      began: false,
      effect: [{ type: 'Forget', id: 'm9' }],
      calls: [],
      ok: true,
      output: {},
    })
    .refuses('statement_unknown')
})
test('a due plan is planned again in the commit that makes it due', () => {
  const { type: _, ...entry } = planned
  given(...awake, planned)
    .when({ type: 'FallDue', id: 'p1', next: { id: 'p2', wall: '2026-11-25T09:00:00' } })
    .writes({ type: 'EntryDue', id: 'p1' }, { ...entry, type: 'EntryPlanned', id: 'p2', wall: '2026-11-25T09:00:00' })
})
test('what fell due is done with when its turn was answered, and waits when her Mind was away', () => {
  const facts = [...awake, heard('one'), planned, { type: 'EntryDue', id: 'p1' }, began(5, ['p1'])] as const
  const end = { type: 'EndTurn', life: 1, turn: 8, reason: null, words: null, failed: null } as const
  given(...facts)
    .when({ ...end, outcome: 'refused' })
    .writes({ type: 'TurnEnded', turn: 8, outcome: 'refused', reason: null }, { type: 'EntryDone', id: 'p1' })
  given(...facts)
    .when({ ...end, outcome: 'unreachable' })
    .writes({ type: 'TurnEnded', turn: 8, outcome: 'unreachable', reason: null })
})
test('a persona that was told to stop is not woken', () => {
  given(...awake, { type: 'Stopped', life: 1 }, { type: 'StopAsked' })
    .when({ type: 'Wake' })
    .refuses('not_active')
})
test('waking gives a failed Mind another chance', () => {
  given(...awake, { type: 'OrganFailed', slot: 'thinking', reason: 'x' })
    .when({ type: 'Wake' })
    .writes({ type: 'OrganRecovered', slot: 'thinking' }, { type: 'Woke', life: 2 })
})

test.run()
