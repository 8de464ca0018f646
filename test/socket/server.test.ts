/** Accepted and closed connections, and the cost of many listeners. */
import { connect as dial } from 'node:net'
import { Writable } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCork } from '../../src/socket/client.ts'
import type { Frame } from '../../src/socket/frames.ts'
import { calm, type Guest, type ReceivedFrame, waitUntil } from './guest.ts'
import { born, createMessageHeard, createMessageSpoken, type Stage, stage } from './stage.ts'

const withStage =
  (act: (daemon: Stage) => Promise<void>, options: Parameters<typeof stage>[0] = {}) =>
  async () => {
    const daemon = await stage(options)
    try {
      daemon.commit('ada', born('ada'))
      await act(daemon)
    } finally {
      await daemon.close()
    }
  }

const statusIn = (frame: ReceivedFrame | undefined) => (frame?.persona as { status: string } | null)?.status
const types = ({ frames }: Guest) => frames.map(({ type }) => type)

/** Returns the answer to an upgrade request written by hand. */
const answerTo = (port: number, path: string, headers: readonly string[] = []): Promise<string> =>
  new Promise((callback, reject) => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', ...headers]
    const socket = dial(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgrade.join('\r\n')}\r\n\r\n`),
    )
    let answer = ''
    socket
      .on('data', (data) => (answer += data))
      .on('end', () => callback(answer))
      .on('error', reject)
  })

test(
  'refuses a path without a socket like any unknown path',
  withStage(async (daemon) => {
    for (const path of ['/', '/ws', '/ws/', '/ws/ada/more', '/api/persona', '/ws/%E0%A4%A']) {
      const answer = await answerTo(daemon.port, path, ['Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA=='])
      assert.match(answer, /^HTTP\/1\.1 404 Not Found\r\n/, path)
      assert.match(answer, /Content-Type: application\/json/)
      assert.match(answer, /\{"detail":"Not Found"\}$/)
    }
  }),
)

test(
  'returns 400 with a detail for an invalid handshake',
  withStage(async (daemon) => {
    const answer = await answerTo(daemon.port, '/ws/ada')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /\{"detail":"[^"]*Sec-WebSocket-Key[^"]*"\}$/)
  }),
)

test(
  'closes with 4404 for an unknown persona',
  withStage(async (daemon) => {
    for (const path of ['/ws/nobody', '/ws/nobody?after=3', '/ws/..%2Fada']) {
      const guest = await daemon.connect(path)
      assert.is((await guest.waitForClose()).code, 4404)
    }
    assert.not(daemon.web.isOpen('nobody'))
  }),
)

test(
  'closes the sockets of a deleted persona with 4404, and no others',
  withStage(async (daemon) => {
    daemon.commit('bob', born('bob'))
    const [hosted, catching, his] = await Promise.all([
      daemon.connect('/ws/ada'),
      daemon.connect('/ws/ada?after=0'),
      daemon.connect('/ws/bob'),
    ])
    daemon.commit('ada', { type: 'PersonaDeleted', purge: false })
    assert.is((await hosted.waitForClose()).code, 4404)
    assert.is((await catching.waitForClose()).code, 4404)
    assert.is(hosted.frames[0]?.title, 'PersonaDeleted')
    assert.is(his.ws.readyState, his.ws.OPEN)
    const lateGuest = await daemon.connect('/ws/ada')
    assert.is((await lateGuest.waitForClose()).code, 4404)
  }),
)

test(
  'its web channel is open from the moment a socket is connected',
  withStage(async (daemon) => {
    let listeners = 0
    daemon.bus.signs.subscribe(({ type }) => type === 'presence' && listeners++)
    assert.not(daemon.web.isOpen('ada'))
    const guest = await daemon.connect('/ws/ada')
    assert.ok(daemon.web.isOpen('ada'))
    daemon.web.woke('ada')
    assert.ok(daemon.web.isOpen('ada'))
    guest.ws.close()
    await guest.waitForClose()
    // It started while a client was connected: the channel stays open until the next start.
    assert.ok(daemon.web.isOpen('ada'))
    await waitUntil(() => {
      daemon.web.woke('ada')
      return !daemon.web.isOpen('ada')
    })
  }),
)

test(
  'reads and ignores frames of clients',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/ada')
    guest.ws.send('{"type":"chat_message"}')
    guest.ws.send(Buffer.alloc(1024 * 1024))
    await calm()
    daemon.commit('ada', createMessageHeard('still here'))
    await guest.receive(1)
    assert.equal(types(guest), ['person_message'])
  }),
)

test(
  'closes a client with 1009 after a frame of more than a mebibyte',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/ada')
    guest.ws.send(Buffer.alloc(1024 * 1024 + 1))
    assert.is((await guest.waitForClose()).code, 1009)
  }),
)

test(
  'compression is not offered',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/ada')
    assert.is(guest.ws.extensions, '')
  }),
)

// Fails if pongs do not reset the count, and if the limit is one or five missed pings.
test(
  'terminates a client that misses two pings, and keeps one that answers',
  withStage(async (daemon) => {
    const silent = await daemon.connect('/ws/ada')
    const faithful = await daemon.connect('/ws/system')
    // From here on its web channel is open only while the silent client is connected.
    daemon.web.onStop('ada')
    let pings = 0
    faithful.ws.on('ping', () => pings++)
    // The client reads nothing any more, so it sends no pong.
    silent.ws.pause()
    for (let beat = 1; beat <= 5; beat++) {
      daemon.beat()
      await waitUntil(() => pings === beat)
      await calm()
      assert.is(daemon.web.isOpen('ada'), beat <= 2, `after beat ${beat}`)
    }
    silent.ws.resume()
    assert.is((await silent.waitForClose()).code, 1006)
    assert.is(faithful.ws.readyState, faithful.ws.OPEN)
  }),
)

// Fails if slow readers are not checked.
test(
  'closes a reader with eight mebibytes pending with 1013, and others continue',
  withStage(async (daemon) => {
    const slow = await daemon.connect('/ws/ada')
    const quick = await daemon.connect('/ws/ada')
    slow.ws.pause()
    const text = 'x'.repeat(256 * 1024)
    for (let index = 1; index <= 80; index++) {
      daemon.commit('ada', createMessageHeard(text))
      await quick.receive(index)
    }
    slow.ws.resume()
    const { code, reason } = await slow.waitForClose()
    assert.is(code, 1013)
    assert.match(reason, 'after=')
    assert.ok(slow.frames.length >= 32 && slow.frames.length < 80, String(slow.frames.length))
    assert.equal(
      slow.frames.map(({ seq }) => seq),
      slow.frames.map((_, index) => index + 2),
    )
    assert.is(quick.ws.readyState, quick.ws.OPEN)
    const resumedGuest = await daemon.connect(`/ws/ada?after=${slow.frames.at(-1)?.seq}`)
    await resumedGuest.receive(80 - slow.frames.length)
  }),
)

// Fails if a close frame is not followed by a timeout: the library waits half a minute.
test(
  'terminates a reader that does not resume within the grace period',
  withStage(
    async (daemon) => {
      const slow = await daemon.connect('/ws/ada')
      slow.ws.pause()
      for (let index = 0; index < 80; index++) {
        daemon.commit('ada', createMessageHeard('x'.repeat(256 * 1024)))
        await nextTick()
      }
      daemon.web.onStop('ada')
      await waitUntil(() => !daemon.web.isOpen('ada'))
    },
    { limits: { grace: 50 } },
  ),
)

// Fails if frames are serialized for each listener.
test('serializes a commit once for all listeners', async () => {
  const createdIds: string[] = []
  const stringify = (frame: Frame) => {
    createdIds.push(frame.type)
    return JSON.stringify(frame)
  }
  await withStage(
    async (daemon) => {
      daemon.commit('ada', createMessageHeard('nobody listens'))
      assert.equal(createdIds, [])
      const guests = await Promise.all(Array.from({ length: 20 }, () => daemon.connect('/ws/ada')))
      daemon.commit('ada', createMessageHeard('one'), { type: 'StopAsked' })
      daemon.bus.sign({ type: 'delta', id: 'ada', channel: null, turn: 2, step: 0, offset: 0, delta: 'x' })
      for (const guest of guests) await guest.receive(3)
      assert.equal(createdIds, ['person_message', 'event', 'chat_delta'])
    },
    { stringify },
  )()
})

const think = (daemon: Stage, delta: string, offset: number, step = 0) =>
  daemon.bus.sign({ type: 'delta', id: 'ada', channel: null, turn: 2, step, offset, delta })
const getTexts = ({ frames }: Guest) =>
  frames.map(({ type, offset, delta }) => (type === 'chat_delta' ? [offset, delta] : type))

// Fails without a flush before a commit, and if text of different steps is joined.
test(
  'joins text that arrives in quick succession into one frame, before the next event',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/ada')
    for (const [at, letter] of ['a', 'b', 'c'].entries()) think(daemon, letter, at)
    daemon.commit('ada', createMessageSpoken('abc', 2))
    think(daemon, 'd', 0, 1)
    think(daemon, '', 0, 1)
    think(daemon, 'e', 0, 1)
    think(daemon, 'f', 1, 1)
    await guest.receive(5)
    assert.equal(getTexts(guest), [[0, 'a'], [1, 'bc'], 'chat_message', [0, 'd'], [0, 'ef']])
  }),
)

// Fails without a flush before a client goes live: it got the last text twice.
test(
  'sends each text once to a client that connects during an answer',
  withStage(async (daemon) => {
    const first = await daemon.connect('/ws/ada')
    think(daemon, 'a', 0)
    think(daemon, 'b', 1)
    const second = await daemon.connect('/ws/ada')
    think(daemon, 'c', 2)
    await Promise.all([first.receive(3), second.receive(2)])
    await calm()
    const getText = ({ frames }: Guest) => frames.map(({ delta }) => delta).join('')
    assert.equal([getText(first), getText(second)], ['abc', 'abc'])
  }),
)

test('joins all frames of one tick into one write', async () => {
  const writes: number[] = []
  const socket = new Writable({
    write: (_, __, callback) => {
      writes.push(1)
      callback()
    },
    writev: (chunks, callback) => {
      writes.push(chunks.length)
      callback()
    },
  }) as unknown as Parameters<ReturnType<typeof createCork>>[0]
  const cork = createCork()
  assert.equal([cork(socket), socket.write('a'), cork(socket), socket.write('b')], [true, true, false, true])
  await Promise.resolve()
  cork(socket)
  socket.write('c')
  await nextTick()
  assert.equal(writes, [3])
  assert.ok(cork(socket))
  socket.write('d')
  await nextTick()
  assert.equal(writes, [3, 1])
})

test(
  'the system socket gets facts of every persona, and no chat',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/system')
    daemon.commit('bob', born('bob'), { type: 'StartAsked' })
    daemon.commit('bob', createMessageHeard('psst'))
    daemon.bus.sign({ type: 'delta', id: 'bob', channel: null, turn: 2, step: 0, offset: 0, delta: 'psst' })
    daemon.bus.sign({ type: 'typing', id: 'bob', channel: null, on: true })
    daemon.commit('bob', { type: 'StatusSet', status: 'hibernate', reason: null })
    daemon.bus.sign({ type: 'progress', model: 'llama', status: 'pulling', completed: 5, total: 10 })
    daemon.commit('bob', { type: 'PersonaDeleted', purge: false })
    await guest.receive(6)
    await calm()
    assert.equal(types(guest), [
      'persona_created',
      'event',
      'event',
      'persona_changed',
      'model_progress',
      'persona_deleted',
    ])
    const [created, , , changed, progress] = guest.frames
    assert.equal([created?.persona_id, statusIn(created)], ['bob', 'active'])
    assert.equal([changed?.persona_id, statusIn(changed)], ['bob', 'hibernate'])
    const { time: _, ...rest } = progress ?? {}
    assert.equal(rest, {
      type: 'model_progress',
      seq: null,
      model: 'llama',
      status: 'pulling',
      completed: 5,
      total: 10,
    })
  }),
)

test(
  'sends the view of a persona when the daemon marks it as sick, and as well again',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/system')
    const failedEvent = { type: 'OrganFailed', slot: 'thinking', reason: 'away' } as const
    const reason = 'My mind answers again.'
    daemon.commit('ada', failedEvent, { type: 'StatusSet', status: 'sick', reason: 'away' })
    daemon.commit(
      'ada',
      { type: 'OrganRecovered', slot: 'thinking' },
      { type: 'StatusSet', status: 'active', reason },
    )
    await guest.receive(6)
    assert.equal(types(guest), ['event', 'event', 'persona_changed', 'event', 'event', 'persona_changed'])
    const changeFrames = guest.frames.filter(({ type }) => type === 'persona_changed')
    assert.equal(changeFrames.map(statusIn), ['sick', 'active'])
  }),
)

test(
  'sends the view when the presence changes visibly',
  withStage(async (daemon) => {
    const guest = await daemon.connect('/ws/system')
    daemon.bus.sign({ type: 'presence', id: 'ada' })
    daemon.bus.sign({ type: 'presence', id: 'ada' })
    daemon.bus.sign({ type: 'presence', id: 'nobody' })
    await daemon.connect('/ws/ada')
    await guest.receive(2)
    await calm()
    assert.equal(
      guest.frames.map(({ persona, seq }) => [seq, (persona as { channels: unknown[] }).channels.length]),
      [
        [null, 0],
        [null, 1],
      ],
    )
  }),
)

test(
  'a listener of one persona gets no facts of another',
  withStage(async (daemon) => {
    daemon.commit('bob', born('bob'))
    const guest = await daemon.connect('/ws/ada')
    daemon.commit('bob', createMessageHeard('for bob'))
    daemon.bus.sign({ type: 'typing', id: 'bob', channel: null, on: true })
    daemon.commit('ada', createMessageHeard('for ada'))
    await guest.receive(1)
    await calm()
    assert.equal(
      guest.frames.map(({ content }) => content),
      ['for ada'],
    )
  }),
)

test(
  'closes every client with 1001 when the daemon closes, and terminates those that do not answer',
  withStage(
    async (daemon) => {
      const guests = await Promise.all([
        daemon.connect('/ws/ada'),
        daemon.connect('/ws/system'),
        daemon.connect('/ws/ada?after=0'),
      ])
      const deaf = await daemon.connect('/ws/ada')
      deaf.ws.pause()
      const startedAt = Date.now()
      await daemon.sockets.close()
      assert.ok(Date.now() - startedAt < 2000)
      for (const guest of guests) assert.is((await guest.waitForClose()).code, 1001)
      assert.match(await answerTo(daemon.port, '/ws/ada'), /^HTTP\/1\.1 503 /)
      deaf.ws.resume()
      await deaf.waitForClose()
    },
    { limits: { grace: 100 } },
  ),
)

test.run()
