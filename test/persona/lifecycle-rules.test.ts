/**
 * Lives: when they begin, when an organ is marked as failed, and when the persona becomes sick and recovers.
 */
import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { Failed, Slot } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import type { OrganCall } from '../../src/persona/rules/organ-health.ts'
import {
  answer,
  awake,
  createMessageHeard,
  createTurnBegan,
  eye,
  failure,
  fold,
  given,
  minded,
  web,
} from './given.ts'

test('does not start a persona that was asked to stop', () => {
  given(...awake, { type: 'Stopped', life: 1 }, { type: 'StopAsked' })
    .when({ type: 'Wake' })
    .refuses('not_active')
})
test('starting does not recover a Mind that failed in use', () => {
  given(...awake, { type: 'OrganFailed', slot: 'thinking', reason: 'x' })
    .when({ type: 'Wake' })
    .writes({ type: 'Woke', life: 2 })
})

const createOrganCalls = (...calls: readonly OrganCall[]): Command => ({
  type: 'RecordCalls',
  cause: 'consolidation',
  life: 1,
  calls,
})
const toModelFailed = (fields: Partial<Failed> = {}): PersonaEvent => ({
  type: 'ModelFailed',
  turn: null,
  step: null,
  cause: 'consolidation',
  ...failure(fields),
})
const toMark = (slot: Slot = 'thinking', reason = 'away'): PersonaEvent => ({
  type: 'OrganFailed',
  slot,
  reason,
})
const sick = (reason: string | null = 'away'): PersonaEvent => ({ type: 'StatusSet', status: 'sick', reason })
const recoveredStatus: PersonaEvent = {
  type: 'StatusSet',
  status: 'active',
  reason: 'My mind answers again.',
}
const toRecovery = (slot: Slot = 'thinking'): PersonaEvent => ({ type: 'OrganRecovered', slot })

test('a Mind that is away is marked once, and this does not make it sick', () => {
  given(...awake)
    .when(createOrganCalls({ failed: failure() }))
    .writes(toModelFailed(), toMark())
  given(...awake, toMark())
    .when(createOrganCalls({ failed: failure() }))
    .writes(toModelFailed())
})
test('a Mind that cannot recover by itself makes it sick immediately, marked before or not', () => {
  const barredFailure = { kind: 'barred', reason: 'no such key' } as const
  given(...awake)
    .when(createOrganCalls({ failed: failure(barredFailure) }))
    .writes(toModelFailed(barredFailure), toMark('thinking', 'no such key'), sick('no such key'))
  given(...awake, toMark())
    .when(createOrganCalls({ failed: failure(barredFailure) }))
    .writes(toModelFailed(barredFailure), sick('no such key'))
  given(...awake, createMessageHeard('one'), createTurnBegan(5))
    .when({
      type: 'EndTurn',
      life: 1,
      turn: 6,
      outcome: 'unreachable',
      reason: 'x',
      reminders: null,
      notice: null,
      failed: failure(barredFailure),
    })
    .writes(
      { type: 'TurnEnded', turn: 6, outcome: 'unreachable', reason: 'x' },
      { ...toModelFailed(barredFailure), turn: 6, step: 1, cause: 'turn' } as PersonaEvent,
      toMark('thinking', 'no such key'),
      sick('no such key'),
    )
})
test('a failure of another organ does not make it sick, and a refused text marks no organ', () => {
  const barredFailure = { organ: 'eye', kind: 'barred' } as const
  given(...awake, eye)
    .when(createOrganCalls({ failed: failure(barredFailure) }))
    .writes(toModelFailed(barredFailure), toMark('eye'))
  given(...awake)
    .when(createOrganCalls({ failed: failure({ kind: 'refused' }) }))
    .writes(toModelFailed({ kind: 'refused' }))
})
test('a removed organ is not marked', () => {
  given(...awake)
    .when(createOrganCalls({ failed: failure({ organ: 'eye' }) }))
    .writes(toModelFailed({ organ: 'eye' }))
})
test('the last of several calls of an organ determines its state', () => {
  const { used } = answer('x')
  const answerFact: PersonaEvent = {
    type: 'ModelAnswered',
    turn: null,
    step: null,
    ...used,
    answer: null,
    cause: 'consolidation',
  }
  given(...awake)
    .when(createOrganCalls({ failed: failure() }, { used }))
    .writes(toModelFailed(), answerFact)
  given(...awake, toMark())
    .when(createOrganCalls({ used }, { failed: failure() }))
    .writes(answerFact, toModelFailed())
})
test("keeps the user's decision: only an active persona becomes sick", () => {
  const barredFailure = { kind: 'barred' } as const
  for (const status of ['hibernate', 'sick'] as const) {
    const statusSet: PersonaEvent = { type: 'StatusSet', status, reason: null }
    given(...awake, statusSet)
      .when(createOrganCalls({ failed: failure(barredFailure) }))
      .writes(toModelFailed(barredFailure), toMark())
    given(...awake, statusSet)
      .when({ type: 'FallSick', reason: 'away' })
      .writes()
  }
  given(...awake, toMark())
    .when({ type: 'FallSick', reason: 'away' })
    .writes(sick())
  given(...awake)
    .when({ type: 'FallSick', reason: 'it has answered again' })
    .writes()
  given(...awake, sick())
    .when({ type: 'FallSick', reason: 'for another reason' })
    .writes()
})
test('recovers with its Mind, if the daemon had marked it sick', () => {
  given(...awake, toMark(), sick())
    .when({ type: 'RecoverOrgan', slot: 'thinking' })
    .writes(toRecovery(), recoveredStatus)
  given(...awake, sick())
    .when({ type: 'Wake' })
    .writes(recoveredStatus, { type: 'Woke', life: 2 })
  // An answer makes it recover, not its start.
  given(...awake, toMark(), sick())
    .when({ type: 'Wake' })
    .writes({ type: 'Woke', life: 2 })
  // Its Mind was replaced, which removes the mark.
  given(...awake, toMark(), sick(), minded)
    .when({ type: 'RecoverOrgan', slot: 'thinking' })
    .writes(recoveredStatus)
  given(...awake, eye, toMark('eye'), sick())
    .when({ type: 'RecoverOrgan', slot: 'eye' })
    .writes(toRecovery('eye'))
})
test('a status set by the user stays when the Mind answers again', () => {
  for (const status of ['hibernate', 'sick'] as const)
    given(...awake, toMark(), sick(), { type: 'StatusSet', status, reason: null })
      .when({ type: 'RecoverOrgan', slot: 'thinking' })
      .writes(toRecovery())
})
test('an answer of the Mind ends the sickness in the commit that records it, before the reply', () => {
  const {
    type: _,
    life: __,
    used,
    part: ___,
    borrowed: ____,
    borrowedInCalls: _____,
    ...recorded
  } = answer('Hello.')
  given(...awake, toMark(), sick(), createMessageHeard('one'), { ...createTurnBegan(7) })
    .when({ ...answer('Hello.'), turn: 8 })
    .writes(
      { ...recorded, turn: 8, ...used, type: 'ModelAnswered', cause: 'turn' },
      toRecovery(),
      recoveredStatus,
      { type: 'MessageSpoken', turn: 8, step: 1, channel: web, content: 'Hello.', media: null, asks: null },
      { type: 'TurnEnded', turn: 8, outcome: 'answered', reason: null },
    )
})
test('writes nothing for an organ that is not marked', () => {
  given(...awake)
    .when({ type: 'RecoverOrgan', slot: 'thinking' })
    .writes()
})
test('the reason of a sickness is kept while it lasts, and the wanted run state is unchanged', () => {
  const selfAfter = (...facts: readonly PersonaEvent[]) => {
    const { status, reason, wanted } = fold([...awake, ...facts])?.self ?? {}
    return [status, reason, wanted]
  }
  equal(selfAfter(sick()), ['sick', 'away', true])
  equal(selfAfter(sick(), recoveredStatus), ['active', null, true])
  equal(selfAfter({ type: 'StopAsked' }, sick(), recoveredStatus), ['active', null, false])
  equal(selfAfter(sick(), sick(null)), ['sick', null, false])
  equal(selfAfter(sick(), { type: 'StatusSet', status: 'active', reason: null }), ['active', null, true])
  equal(selfAfter(sick(), { type: 'StatusSet', status: 'hibernate', reason: null }), [
    'hibernate',
    null,
    false,
  ])
})

test.run()
