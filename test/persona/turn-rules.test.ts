/** Turns: which messages they consume, and which facts an agent may write. */
import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { decide } from '../../src/persona/rules/decide.ts'
import {
  answer,
  awake,
  createMessageHeard,
  createTurnBegan,
  entryPlanned,
  failure,
  fold,
  given,
  web,
} from './given.ts'

test('a message with a known key is stored once', () => {
  const hear = { type: 'Hear', channel: web, content: 'hi', media: null, key: 'k' } as const
  given(...awake)
    .when(hear)
    .writes(createMessageHeard('hi', 'k'))
  given(...awake, createMessageHeard('hi', 'k'))
    .when(hear)
    .writes()
})

test('a turn consumes all pending messages of its channel and all due reminders', () => {
  given(...awake, createMessageHeard('one'), createMessageHeard('two'), entryPlanned, {
    type: 'EntryDue',
    id: 'p1',
  })
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 6, due: ['p1'] } })
})
test('a turn consumes no message twice', () => {
  const endFact: PersonaEvent = { type: 'TurnEnded', turn: 6, outcome: 'answered', reason: null }
  given(...awake, createMessageHeard('one'), createTurnBegan(5), endFact)
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .refuses('nothing_waits')
  given(...awake, createMessageHeard('one'), createTurnBegan(5), endFact, createMessageHeard('two'))
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 5, upTo: 8, due: [] } })
})
test('messages that an unreachable Mind did not answer stay pending', () => {
  const endFact: PersonaEvent = { type: 'TurnEnded', turn: 6, outcome: 'unreachable', reason: 'x' }
  given(...awake, createMessageHeard('one'), createTurnBegan(5), endFact)
    .when({ type: 'BeginTurn', life: 1, channel: web, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 5, due: [] } })
})

test('an answer shows the help only if no other commit has shown it since', () => {
  const help = { country: 'DE', text: 'Call 112.', helpedAt: null }
  const createHelpFact = (text: string): PersonaEvent => ({
    ...{
      type: 'MessageSpoken',
      turn: null,
      step: null,
      channel: web,
      content: text,
      media: null,
      asks: null,
    },
    ...{ notice: true, help: 'DE' },
  })
  const facts = [...awake, createMessageHeard('one'), createTurnBegan(5)]
  for (const [shown, count] of [
    [[], 1],
    [[createHelpFact('Call 112.')], 0],
  ] as const) {
    const decision = decide(fold([...facts, ...shown]), answer('Stay with me.', { help }))
    const events = 'events' in decision ? decision.events : []
    equal(events.filter((event) => event.type === 'MessageSpoken' && event.help !== undefined).length, count)
  }
})

test('a persona without messages greets once when asked, in an empty turn', () => {
  const greet = { type: 'Greet' } as const
  const begin = { type: 'BeginTurn', life: 1, channel: web, upTo: 0 } as const
  const greetingFact: PersonaEvent = { type: 'GreetingAsked' }
  given(...awake)
    .when(greet)
    .writes(greetingFact)
  given(...awake)
    .when(begin)
    .refuses('nothing_waits')
  given(...awake, greetingFact)
    .when(greet)
    .writes()
  given(...awake, greetingFact)
    .when(begin)
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 0, due: [] } })
  given(...awake, greetingFact, createTurnBegan(0))
    .when(greet)
    .writes()
  given(...awake, createMessageHeard('hi'))
    .when(greet)
    .writes()
  given(...awake, { type: 'OrganFailed', slot: 'thinking', reason: 'Nobody is there.' })
    .when(greet)
    .writes()
  // A message that arrives before the turn begins is consumed by it.
  given(...awake, greetingFact, createMessageHeard('hi'))
    .when({ ...begin, upTo: 99 })
    .writes({ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 6, due: [] } })
  // Fails if such a turn begins while messages are pending: it greeted instead of answering.
  given(...awake, greetingFact, createMessageHeard('hi'))
    .when(begin)
    .refuses('nothing_waits')
})

test('a reply without a call ends the turn in the commit that records it', () => {
  const {
    type: _,
    life: __,
    used,
    part: ___,
    borrowed: ____,
    borrowedInCalls: _____,
    ...recorded
  } = answer('Hello.')
  given(...awake, createMessageHeard('one'), createTurnBegan(5))
    .when(answer(' Hello. '))
    .writes(
      { ...recorded, answer: { text: ' Hello. ', calls: [] }, ...used, type: 'ModelAnswered', cause: 'turn' },
      { type: 'MessageSpoken', turn: 6, step: 1, channel: web, content: 'Hello.', media: null, asks: null },
      { type: 'TurnEnded', turn: 6, outcome: 'answered', reason: null },
    )
})
test('an answer of an earlier life or for an ended turn is refused', () => {
  given(...awake, createMessageHeard('one'), createTurnBegan(5), { type: 'Woke', life: 2 })
    .when(answer('x'))
    .refuses('life_over')
  given(...awake, createMessageHeard('one'), createTurnBegan(5), { type: 'Stopped', life: 1 })
    .when(answer('x'))
    .refuses('life_over')
  given(...awake, createMessageHeard('one'), createTurnBegan(5), {
    type: 'TurnEnded',
    turn: 6,
    outcome: 'hushed',
    reason: null,
  })
    .when(answer('x'))
    .refuses('turn_over')
})
test('hushing keeps the partial text and ends the turn', () => {
  given(...awake, createMessageHeard('one'), createTurnBegan(5))
    .when({ type: 'Hush', said: { turn: 6, step: 1, text: 'Once upon ' } })
    .writes(
      {
        type: 'MessageSpoken',
        turn: 6,
        step: 1,
        channel: web,
        content: 'Once upon',
        media: null,
        asks: null,
        borrowed: ['Once upon'],
      },
      { type: 'TurnEnded', turn: 6, outcome: 'hushed', reason: null },
    )
})
test('hushing never repeats a text that is already recorded', () => {
  const {
    type: _,
    life: __,
    used,
    part: ___,
    ...recorded
  } = answer('Let me look.', {
    answer: { text: 'Let me look.', calls: [{ id: 'c', name: 'recall', input: {} }] },
  })
  given(...awake, createMessageHeard('one'), createTurnBegan(5), {
    ...recorded,
    ...used,
    type: 'ModelAnswered',
    cause: 'turn',
  })
    .when({ type: 'Hush', said: { turn: 6, step: 1, text: 'Let me look.' } })
    .writes({ type: 'TurnEnded', turn: 6, outcome: 'hushed', reason: null })
})
test('hushing a quiet persona writes nothing', () => {
  given(...awake)
    .when({ type: 'Hush', said: null })
    .writes()
})

test('a tool answer whose effect is not possible any more is refused as a whole', () => {
  const call = { id: 'c', name: 'remember', input: {} }
  given(...awake, createMessageHeard('one'), createTurnBegan(5))
    .when({
      type: 'RecordToolAnswer',
      life: 1,
      turn: 6,
      step: 1,
      call,
      of: null,
      began: false,
      effect: [{ type: 'ForgetMemory', id: 'm9', why: null, origin: 'persona' }],
      calls: [],
      ok: true,
      output: {},
    })
    .refuses('statement_unknown')
})
test('a due reminder is done when its turn was answered, and stays due when its Mind was away', () => {
  const facts = [
    ...awake,
    createMessageHeard('one'),
    entryPlanned,
    { type: 'EntryDue', id: 'p1' },
    createTurnBegan(5, ['p1']),
  ] as const
  const end = {
    type: 'EndTurn',
    life: 1,
    turn: 8,
    reason: null,
    reminders: null,
    notice: null,
    failed: null,
  } as const
  given(...facts)
    .when({ ...end, outcome: 'refused' })
    .writes({ type: 'TurnEnded', turn: 8, outcome: 'refused', reason: null }, { type: 'EntryDone', id: 'p1' })
  const spokenEvent = {
    type: 'MessageSpoken',
    turn: 8,
    step: null,
    channel: web,
    media: null,
    asks: null,
  } as const
  given(...facts)
    .when({ ...end, outcome: 'refused', reminders: 'Water the plants.', notice: 'The model failed.' })
    .writes(
      { ...spokenEvent, content: 'Water the plants.' },
      { ...spokenEvent, content: 'The model failed.', notice: true },
      { type: 'TurnEnded', turn: 8, outcome: 'refused', reason: null },
      { type: 'EntryDone', id: 'p1' },
    )
  given(...facts)
    .when({ ...end, outcome: 'unreachable' })
    .writes({ type: 'TurnEnded', turn: 8, outcome: 'unreachable', reason: null })
})

/** A turn in progress. */
const facts = [...awake, createMessageHeard('hi'), createTurnBegan(99)]
const turn = facts.length

test('a turn whose Mind fails in the middle is suspended: it does not end, and the notice does not belong to it', () => {
  const failureFact = failure()
  given(...facts)
    .when({ type: 'HoldTurn', life: 1, turn, notice: 'Wait.', failed: failureFact })
    .writes(
      {
        type: 'MessageSpoken',
        turn: null,
        step: null,
        channel: web,
        content: 'Wait.',
        media: null,
        asks: null,
        notice: true,
      },
      { type: 'ModelFailed', turn, step: 1, ...failureFact, cause: 'turn' },
      { type: 'OrganFailed', slot: 'thinking', reason: 'away' },
    )
  given(...facts)
    .when({ type: 'HoldTurn', life: 1, turn: turn + 1, notice: null, failed: failureFact })
    .refuses('turn_over')
})
test('only a waiting channel gets a notice about a silent Mind, and only during the turn', () => {
  const tell = { type: 'TellTrouble', life: 1, channel: web, words: 'Wait.', stalled: turn } as const
  given(...facts)
    .when(tell)
    .writes({
      type: 'MessageSpoken',
      turn: null,
      step: null,
      channel: web,
      content: 'Wait.',
      media: null,
      asks: null,
      notice: true,
    })
  given(...facts)
    .when({ ...tell, channel: { type: 'telegram', name: 't' } })
    .writes()
  given(...facts, { type: 'TurnEnded', turn, outcome: 'answered', reason: null })
    .when(tell)
    .writes()
  given(...facts)
    .when({ ...tell, stalled: null })
    .writes()
})

test.run()
