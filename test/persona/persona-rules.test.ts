/** A persona is created, changed, and deleted. */
import { test } from 'uvu'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import type { UpdatePersona } from '../../src/persona/rules/persona.ts'
import {
  awake,
  born,
  createMessageHeard,
  createTurnBegan,
  entryPlanned,
  eye,
  given,
  minded,
  opus,
} from './given.ts'

const update = (fields: Partial<UpdatePersona>): Command => ({
  type: 'UpdatePersona',
  organs: {},
  clear: [],
  ...fields,
})
const gpt = { ...opus, model: 'gpt' }

test('a persona is created active and asked to start', () => {
  given()
    .when({
      type: 'CreatePersona',
      id: 'p',
      name: 'Ada',
      birthday: '2026-06-04',
      recipient: 'age1',
      organs: { thinking: opus },
    })
    .writes(born, minded, { type: 'StartAsked' })
})
test('a persona is created once', () => {
  given(born)
    .when({ type: 'CreatePersona', id: 'p', name: 'Ada', birthday: '', recipient: 'age1', organs: {} })
    .refuses('persona_exists')
})
test('a local Mind needs a name, and so does a remote one', () => {
  given()
    .when({
      type: 'CreatePersona',
      id: 'p',
      name: '',
      birthday: '',
      recipient: 'age1',
      organs: { thinking: { ...opus, model: '' } },
    })
    .refuses('model_missing')
})
test('an empty name is valid, a too long one is not', () => {
  given()
    .when({ type: 'CreatePersona', id: 'p', name: '', birthday: '2026-06-04', recipient: 'age1', organs: {} })
    .writes({ ...born, name: '' } as PersonaEvent, { type: 'StartAsked' })
  given()
    .when({
      type: 'CreatePersona',
      id: 'p',
      name: 'x'.repeat(1001),
      birthday: '',
      recipient: 'age1',
      organs: {},
    })
    .refuses('too_long')
})
test('refuses commands to a persona that does not exist or was deleted', () => {
  given().when({ type: 'AskStart' }).refuses('persona_unknown')
  given(born, { type: 'PersonaDeleted', purge: false }).when({ type: 'AskStart' }).refuses('persona_unknown')
})

test('a fork cancels plans, ends the current turn, and has the organs that are declared with it', () => {
  given(...awake, entryPlanned, createMessageHeard('hello'), createTurnBegan(6))
    .when({
      type: 'ForkPersona',
      id: 'q',
      name: null,
      at: 7,
      hash: 'ab'.repeat(32),
      recipient: 'age1q',
      organs: { eye: gpt },
    })
    .writes(
      {
        type: 'PersonaForked',
        id: 'q',
        from: 'p',
        at: 7,
        hash: 'ab'.repeat(32),
        name: 'Ada',
        recipient: 'age1q',
      },
      {
        type: 'TurnEnded',
        turn: 7,
        outcome: 'hushed',
        reason: 'The one it was forked from goes on with it.',
      },
      { type: 'EntryCancelled', id: entryPlanned.id },
      { type: 'OrganReplaced', slot: 'eye', organ: gpt },
      { type: 'StartAsked' },
    )
})

test('a clear flag overrides a new organ for the same slot', () => {
  given(born, eye)
    .when(update({ organs: { eye: gpt }, clear: ['eye'] }))
    .writes({ type: 'OrganRemoved', slot: 'eye' })
})
test('clearing an empty slot writes nothing', () => {
  given(born)
    .when(update({ clear: ['ear'] }))
    .writes()
})
test('an invalid status or type is refused', () => {
  for (const status of ['sleeping', '', 5, {}, [], true])
    given(born).when(update({ status })).refuses('status_invalid')
})
test('a null status changes nothing', () => {
  given(born)
    .when(update({ status: null }))
    .writes()
})
test('an idle timeout is a whole number of seconds', () => {
  for (const idleTimeout of [0, -1, 1.5, '60', Number.MAX_VALUE])
    given(born).when(update({ idleTimeout })).refuses('idle_timeout_invalid')
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

test.run()
