/** Line output to a failing stream: which lines are written, wait, or are dropped and counted. */
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLineOutput } from '../files/standard-streams.ts'
import { createLog } from '../log.ts'

/** A disk with `room` bytes, which fails with `code` when it is full. */
const disk = (code: string, room: number) => {
  const state = { text: '', room }
  const writeBytes = (bytes: Uint8Array) => {
    const part = bytes.subarray(0, state.room)
    if (part.length === 0) throw Object.assign(new Error(`${code}: refused`), { code })
    state.text += Buffer.from(part).toString()
    state.room -= part.length
    return part.length
  }
  return { state, writeBytes }
}

for (const code of ['ENOSPC', 'EIO', 'EPIPE', 'EBADF', 'EROFS'])
  test(`${code}: drops and counts lines, and completes a torn line first when it works again`, () => {
    const { state, writeBytes } = disk(code, 9)
    const output = openLineOutput({ writeBytes })
    for (const line of ['one\n', 'two two\n', 'three\n', 'four\n']) output.write(line)
    assert.equal([state.text, output.getDroppedCount()], ['one\ntwo t', 2])
    state.room = 1000
    output.write('five\n')
    assert.equal([state.text, output.getDroppedCount()], ['one\ntwo two\nfive\n', 2])
  })

test('EAGAIN: keeps lines in order, drops those beyond its memory, and writes by itself later', async () => {
  const { state, writeBytes } = disk('EAGAIN', 6)
  const output = openLineOutput({ writeBytes, maxWaitingBytes: 10 })
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) output.write(line)
  assert.is(state.text, 'one\ntw')
  assert.is(output.getDroppedCount(), 2)
  state.room = 1000
  await pause(200)
  assert.is(state.text, 'one\ntwo\nthree\n')
})

test('a log never throws, and reports the number of lost lines when it works again', async () => {
  const lines: string[] = []
  let isBroken = true
  const stream = {
    write: (line: string) => {
      if (isBroken) throw new Error('ENOSPC')
      lines.push(line)
    },
  }
  const log = await createLog({ level: 'info', stream })
  log.info({}, 'lost')
  log.error({ err: new Error('broken') }, 'lost')
  // An error whose own properties throw.
  const hostile = Object.defineProperty(new Error(), 'message', {
    get: () => {
      throw new Error('no message')
    },
  })
  log.error({ err: hostile }, 'lost')
  assert.is(log.droppedLines(), 3)
  isBroken = false
  log.warn({}, 'written')
  log.warn({}, 'written too')
  assert.equal(
    lines.map((line) => JSON.parse(line)).map(({ level, msg, count }) => [level, msg, count]),
    [
      ['warn', 'written', undefined],
      ['warn', '3 lines of this log could not be written', 3],
      ['warn', 'written too', undefined],
    ],
  )
})

test.run()
