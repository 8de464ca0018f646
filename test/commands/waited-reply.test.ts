/** Finds the turn that replies to a message, and stops listening when the client stops waiting. */
import type { Subject } from 'rxjs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Channel } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import type { Persona } from '../../projections/persona.ts'
import { createBus } from '../../src/bus.ts'
import { waitForReply } from '../../src/commands/waited-reply.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { toWebChannel } from '../../src/web-channel.ts'
import { createFakeClock } from '../clock.ts'
import { silent } from '../http/try.ts'
import { toParts } from '../message-parts.ts'

const id = 'ada'
const web = toWebChannel(id)

const createMessageHeard = (key: string | null = null, channel: Channel | null = web): PersonaEvent => ({
  type: 'MessageHeard',
  channel,
  parts: toParts('x'),
  media: null,
  key,
})
const createTurnBegan = (afterSeq: number, lastSeq: number, channel: Channel | null = web): PersonaEvent => ({
  type: 'TurnBegan',
  life: 1,
  channel,
  stimuli: { after: afterSeq, upTo: lastSeq, due: [] },
})
const createReply = (turn: number, content: string, channel: Channel | null = web): PersonaEvent => ({
  type: 'MessageSpoken',
  turn,
  step: 1,
  channel,
  content,
  media: null,
  asks: null,
})
const ends = (turn: number, outcome: 'answered' | 'unreachable' | 'hushed' = 'answered'): PersonaEvent => ({
  type: 'TurnEnded',
  turn,
  outcome,
  reason: null,
})

/** Creates a journal that the test writes, and a wait for a reply on it. */
const scene = (pastFacts: readonly PersonaEvent[] = []) => {
  const bus = createBus()
  const clock = createFakeClock()
  const entries: Entry[] = []
  const write = (...events: readonly PersonaEvent[]) => {
    const newEntries = events.map((event): Entry => {
      const seq = entries.length + 1
      const entry = {
        seq,
        commit: String(seq),
        type: event.type,
        at: clock.now(),
        offset: 60,
        cause: { by: 'person' as const },
        event,
      }
      entries.push(entry)
      return entry
    })
    bus.publish({ id, entries: newEntries, head: { seq: entries.length, hash: '' }, persona: {} as Persona })
    return newEntries
  }
  write(...pastFacts)
  const journal = {
    findByKey: async (key: string) =>
      entries.find(({ event }) => event.type === 'MessageHeard' && event.key === key)?.seq,
    async *read({ after = 0 }) {
      yield* entries.filter(({ seq }) => seq > after)
    },
  } as unknown as Journal
  const personas = {
    read: async (_: string, look: (reading: unknown) => Promise<unknown>) => look({ journal }),
  } as unknown as PersonaStore
  const controller = new AbortController()
  const wait = (key: string | null = null, laterFacts: readonly PersonaEvent[] = []) =>
    waitForReply(
      { bus, clock, log: silent, personas },
      {
        id,
        key,
        seconds: 60,
        abortSignal: controller.signal,
        send: async () => {
          const repeatedEvents =
            key !== null && entries.some(({ event }) => event.type === 'MessageHeard' && event.key === key)
          const newEntries = repeatedEvents ? [] : write(createMessageHeard(key))
          // Facts of the same moment are published before the command resolves.
          if (laterFacts.length > 0) write(...laterFacts)
          return { persona: {} as Persona, entries: newEntries }
        },
      },
    )
  const isHearing = () => (bus.commitsFrom(id) as Subject<unknown>).observed
  return { write, wait, clock, gone: controller, heardBy: isHearing }
}

const getContent = async (reply: ReturnType<typeof waitForReply>) => (await reply)?.content

/** Waits until pending promises have settled. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

test('the reply contains all messages of the turn as paragraphs, and has the position of the last', async () => {
  const { write, wait } = scene()
  const reply = wait()
  await settle()
  write(createTurnBegan(0, 1))
  write(createReply(2, 'One.'), createReply(2, 'Two.'))
  write(createReply(2, 'Three.'), ends(2))
  assert.equal(await reply, {
    id: 5,
    content: 'One.\n\nTwo.\n\nThree.',
    media: null,
    time: '2026-11-23T10:15:00.000+01:00',
  })
})

test('finds a turn that ends before the message is acknowledged', async () => {
  const { wait, heardBy } = scene()
  assert.is(
    await getContent(wait(null, [createTurnBegan(0, 1), createReply(2, 'Quick.'), ends(2)])),
    'Quick.',
  )
  assert.not(heardBy())
})

test('ignores turns about earlier messages, another channel or no message', async () => {
  const { write, wait } = scene([createMessageHeard(), createTurnBegan(0, 1)])
  const reply = wait()
  await settle()
  write(createReply(2, 'To the first.'), ends(2))
  write(createTurnBegan(0, 3, null), createReply(6, 'To nobody.', null), ends(6))
  write(
    createTurnBegan(1, 3),
    createReply(9, 'Copied elsewhere.', null),
    createReply(9, 'To this one.'),
    ends(9),
  )
  assert.is(await getContent(reply), 'To this one.')
})

test('a turn without a message has an empty reply', async () => {
  const { write, wait } = scene()
  const reply = wait()
  await settle()
  write(createTurnBegan(0, 1), ends(2, 'hushed'))
  assert.equal(await reply, { id: 3, content: '', media: null, time: '2026-11-23T10:15:00.000+01:00' })
})

test('a turn that could not reach the model ends the wait with its message', async () => {
  const { write, wait } = scene()
  const reply = wait()
  await settle()
  write(createTurnBegan(0, 1), createReply(2, 'My mind is out of reach.'), ends(2, 'unreachable'))
  assert.is(await getContent(reply), 'My mind is out of reach.')
})

// Fails with an empty reply, if the client was told before that the model does not answer.
test('a turn that requeues the message without text is no reply, and the wait continues with the next one', async () => {
  const { write, wait } = scene()
  const reply = wait()
  await settle()
  write(createTurnBegan(0, 1), ends(2, 'unreachable'))
  write(createTurnBegan(0, 1), createReply(4, 'Here I am.'), ends(4))
  assert.is(await getContent(reply), 'Here I am.')
})

test('a repeated message gets the same reply', async () => {
  const { wait } = scene([
    createMessageHeard('k'),
    createTurnBegan(0, 1),
    createReply(2, 'Hello.'),
    ends(2),
    createMessageHeard(),
    createTurnBegan(1, 5),
    createReply(6, 'Later.'),
    ends(6),
  ])
  assert.is(await getContent(wait('k')), 'Hello.')
})

test('a repeated message gets the answer of the last turn that took it', async () => {
  const { write, wait } = scene([
    createMessageHeard('k'),
    createTurnBegan(0, 1),
    createReply(2, 'Out of reach.'),
    ends(2, 'unreachable'),
    createTurnBegan(0, 1),
  ])
  const reply = wait('k')
  await settle()
  write(createReply(5, 'Here I am.'), ends(5))
  assert.is(await getContent(reply), 'Here I am.')
})

test('the wait times out without a reply', async () => {
  const { wait, clock, heardBy } = scene()
  const reply = wait()
  await settle()
  assert.ok(heardBy())
  await clock.advance(60_000)
  assert.is(await reply, null)
  assert.not(heardBy())
})

test('stops listening when the client disconnects', async () => {
  const { wait, gone, heardBy } = scene()
  const reply = wait()
  await settle()
  gone.abort()
  assert.is(await reply, null)
  assert.not(heardBy())
})

test('does not wait for a client that disconnected before the message was stored', async () => {
  const { wait, gone, heardBy } = scene()
  gone.abort()
  assert.is(await wait(), null)
  assert.not(heardBy())
})

test('the deletion of the persona ends the wait', async () => {
  const { write, wait } = scene()
  const reply = wait()
  await settle()
  write({ type: 'PersonaDeleted', purge: false })
  assert.is(await reply, null)
})

test.run()
