/** What a listener is told of the time it was away. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { dice } from './dice.ts'
import { calm, type Guest, until } from './guest.ts'
import { born, heard, type Stage, spoken, stage } from './stage.ts'

const seqs = ({ frames }: Guest) => frames.map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const many = (count: number): PersonaEvent[] => Array.from({ length: count }, (_, at) => heard(`m${at}`))

const withStage =
  (run: (on: Stage) => Promise<void>, options: Parameters<typeof stage>[0] = {}) =>
  async () => {
    const on = await stage(options)
    try {
      on.commit('ada', born('ada'))
      await run(on)
    } finally {
      await on.close()
    }
  }

test(
  'a listener is told what it missed, in order, and then what happens',
  withStage(async (on) => {
    on.commit('ada', ...many(9))
    const guest = await on.connect('/ws/ada?after=4')
    await guest.told(6)
    on.commit('ada', heard('now'))
    await guest.told(7)
    assert.equal(seqs(guest), range(5, 11))
    assert.is(guest.frames.at(-1)?.content, 'now')
  }),
)

test(
  'who stopped in the middle of a commit is told the rest of it',
  withStage(async (on) => {
    on.commit('ada', heard('one'), heard('two'), heard('three'))
    const guest = await on.connect('/ws/ada?after=3')
    await guest.told(1)
    await calm()
    assert.equal(
      guest.frames.map(({ content }) => content),
      ['three'],
    )
  }),
)

test(
  'who asks for nothing that was is told only what happens',
  withStage(async (on) => {
    on.commit('ada', ...many(9))
    const guests = await Promise.all(
      ['', '?after=', '?after=x', '?after=1.5', '?after=-1', '?before=1'].map((query) =>
        on.connect(`/ws/ada${query}`),
      ),
    )
    on.commit('ada', heard('now'))
    for (const guest of guests) await guest.told(1)
    await calm()
    for (const guest of guests) assert.equal(seqs(guest), [11])
  }),
)

test(
  'a place that its journal has not reached is taken for its end',
  withStage(async (on) => {
    const guest = await on.connect('/ws/ada?after=1000000')
    await calm()
    on.commit('ada', heard('now'))
    await guest.told(1)
    assert.equal(seqs(guest), [2])
  }),
)

test(
  'who missed five thousand facts is told all of them',
  withStage(async (on) => {
    on.commit('ada', ...many(5000))
    const guest = await on.connect('/ws/ada?after=1')
    await guest.told(5000)
    await calm()
    assert.equal(seqs(guest), range(2, 5001))
  }),
)

test(
  'who missed more begins anew with the last two hundred',
  withStage(async (on) => {
    on.commit('ada', ...many(5000))
    const guest = await on.connect('/ws/ada?after=0')
    await guest.told(201)
    await calm()
    assert.equal(guest.frames[0], { type: 'reset', time: '2026-06-04T08:01:53.655+02:00', seq: null })
    assert.equal(seqs(guest).slice(1), range(4802, 5001))
  }),
)

const restored = (over: number): PersonaEvent => ({
  type: 'PersonaRestored',
  made: 1,
  upTo: 2,
  over,
  recipient: 'age1',
})

// Seen failing with a look at where it was restored alone: a listener of the longer history that was replaced
// missed six facts of this one.
test(
  'who was told a place that the replaced history may have had begins anew, and who was told one behind it goes on',
  withStage(async (on) => {
    on.commit('ada', heard('before'))
    on.commit('ada', restored(9), ...many(10))
    const [earlier, later] = await Promise.all([
      on.connect('/ws/ada?after=9'),
      on.connect('/ws/ada?after=11'),
    ])
    await earlier.told(14)
    await later.told(2)
    await calm()
    assert.equal(seqs(earlier), [null, ...range(1, 13)])
    assert.is(earlier.frames[0]?.type, 'reset')
    assert.equal(seqs(later), [12, 13])
  }),
)

// Seen failing where the commit was told before the goodbye: the new history went on from the end of the
// other, and nobody was told to begin anew.
test(
  'who listens while another history takes the place of the one it knows is told none of it as if it went on, and is asked to come back',
  withStage(async (on) => {
    const guest = await on.connect('/ws/ada')
    on.commit('ada', heard('before'))
    on.commit('ada', restored(9), heard('after'))
    assert.is((await guest.closed()).code, 1012)
    assert.equal(seqs(guest), [2])
  }),
)

// Seen failing without the look at `cursor` in audience.ts (doubles), with the look at the head taken before
// the page is read, and with `goLive` only after the client has taken the page (gaps).
test('no fact is missed and none told twice, whatever is written while a listener catches up', async () => {
  const roll = dice(20260604)
  const on = await stage({
    pause: () => (roll() < 0.3 ? nextTick() : Promise.resolve()),
    limits: { page: 7, pageBytes: 1500 },
  })
  try {
    on.commit('ada', born('ada'))
    let head = 1
    const write = async () => {
      const commit = on.append('ada', many(1 + Math.floor(roll() * 3)))
      head = commit.head.seq
      // On disk a while before it is told, as behind a sync.
      for (let wait = Math.floor(roll() * 4); wait > 0; wait--) await nextTick()
      on.publish('ada', commit)
    }
    for (let round = 0; round < 200; round++) {
      const after = Math.floor(roll() * Math.min(60, head)) + Math.max(0, head - 60)
      const connecting = on.connect(`/ws/ada?after=${after}`)
      for (let more = Math.floor(roll() * 12); more > 0; more--) {
        await write()
        if (roll() < 0.5) await nextTick()
      }
      const guest = await connecting
      await write()
      await guest.told(head - after)
      assert.equal(seqs(guest), range(after + 1, head), `round ${round}`)
      guest.ws.terminate()
    }
  } finally {
    await on.close()
  }
})

// Seen failing with the client waited for inside `personas.read`.
test(
  'a client that does not read holds nobody’s journal open',
  withStage(async (on) => {
    for (let at = 0; at < 100; at++) on.commit('ada', heard('x'.repeat(200_000)))
    const guest = await on.connect('/ws/ada?after=0')
    guest.ws.pause()
    await calm()
    assert.is(on.readers(), 0)
    assert.ok(guest.frames.length < 100)
    guest.ws.resume()
    await guest.told(101)
    assert.equal(seqs(guest), range(1, 101))
  }),
)

// Seen failing with pages sent without waiting for the client: it was closed with 1013.
test(
  'a slow listener is not hurried while it catches up, however much is written meanwhile',
  withStage(
    async (on) => {
      for (let at = 0; at < 50; at++) on.commit('ada', heard('x'.repeat(200_000)))
      const guest = await on.connect('/ws/ada?after=0')
      guest.ws.pause()
      for (let at = 0; at < 50; at++) {
        on.commit('ada', heard('x'.repeat(200_000)))
        await nextTick()
      }
      guest.ws.resume()
      await guest.told(101)
      assert.equal(seqs(guest), range(1, 101))
    },
    { limits: { pileUp: 2_000_000 } },
  ),
)

test(
  'what lies before damage is told, and then the listener is live',
  withStage(async (on) => {
    on.commit('ada', ...many(9))
    on.breakAt('ada', 6)
    const guest = await on.connect('/ws/ada?after=2')
    await guest.told(3)
    on.bus.sign({ type: 'typing', id: 'ada', channel: null, on: true })
    await guest.told(4)
    assert.equal(seqs(guest), [3, 4, 5, null])
  }),
)

const delta = (offset: number, words: string, step = 1) =>
  ({ type: 'delta', id: 'ada', channel: null, turn: 2, step, offset, delta: words }) as const
const thinking = (on: Stage) => {
  on.commit('ada', { type: 'TurnBegan', life: 1, channel: null, stimuli: { after: 0, upTo: 1, due: [] } })
  on.bus.sign({ type: 'typing', id: 'ada', channel: null, on: true })
  on.bus.sign(delta(0, 'good '))
  on.bus.sign(delta(5, 'morning'))
}

test(
  'who comes in the middle of a step hears the words so far before the next ones',
  withStage(async (on) => {
    thinking(on)
    for (const path of ['/ws/ada', '/ws/ada?after=2']) {
      const guest = await on.connect(path)
      await guest.told(2)
      on.bus.sign(delta(12, '!'))
      await guest.told(3)
      const [typing, before, next] = guest.frames
      assert.is(typing?.type === 'typing' && typing.on, true)
      assert.equal([before?.type, before?.turn, before?.step, before?.offset], ['chat_delta', 2, 1, 0])
      assert.match(String(before?.delta), 'good morning')
      assert.equal([next?.offset, next?.delta], [12, '!'])
    }
  }),
)

test(
  'a step that begins anew leaves its first words behind',
  withStage(async (on) => {
    thinking(on)
    on.bus.sign(delta(0, 'hello'))
    const guest = await on.connect('/ws/ada')
    await guest.told(2)
    assert.is(guest.frames[1]?.delta, 'hello')
  }),
)

test(
  'a step that was spoken is not thought again for who comes after it',
  withStage(async (on) => {
    thinking(on)
    on.commit('ada', spoken('good morning', 2, 1))
    const guest = await on.connect('/ws/ada')
    await calm()
    assert.equal(
      guest.frames.map(({ type }) => type),
      ['typing'],
    )
  }),
)

// Seen failing without `seen`: the words came after the message that replaces them, and stayed.
test(
  'words whose message is on disk already are not told as words once more',
  withStage(async (on) => {
    thinking(on)
    const commit = on.append('ada', [spoken('good morning', 2, 1)])
    const guest = await on.connect('/ws/ada?after=2')
    await guest.told(2)
    on.publish('ada', commit)
    await calm()
    assert.equal(
      guest.frames.map(({ type }) => type),
      ['chat_message', 'typing'],
    )
  }),
)

test(
  'a life that ends takes its half-thought words with it',
  withStage(async (on) => {
    thinking(on)
    on.commit('ada', { type: 'Stopped', life: 1 })
    const guest = await on.connect('/ws/ada')
    await calm()
    assert.equal(guest.frames, [])
  }),
)

test(
  'more words than are kept are not told in pieces',
  withStage(async (on) => {
    thinking(on)
    on.bus.sign(delta(12, 'x'.repeat(1024 * 1024)))
    const guest = await on.connect('/ws/ada')
    await until(() => guest.frames.length > 0)
    await calm()
    assert.equal(
      guest.frames.map(({ type }) => type),
      ['typing'],
    )
  }),
)

test.run()
