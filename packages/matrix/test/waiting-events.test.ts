import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { limitWaiting } from '../waiting-events.ts'

const kib = 1024
const fill = (room: string, count: number, bytes = 10) =>
  Array.from({ length: count }, (_, n) => ({ room, event: { n, text: 'x'.repeat(bytes) } }))
const numbers = (items: readonly { room: string; event: { n: number } }[], room: string) =>
  items.flatMap((item) => (item.room === room ? [item.event.n] : []))

test('keeps all events in their order while they are few', () => {
  const items = [...fill('a', 3), ...fill('b', 2), ...fill('a', 1)]
  const { kept, dropped } = limitWaiting(items, null)
  equal(kept, items)
  is(dropped.size, 0)
})

test('keeps the newest events of a room, by number and by bytes', () => {
  const many = limitWaiting(fill('a', 250), null)
  equal(numbers(many.kept, 'a').slice(0, 1), [50])
  equal([...many.dropped], [['a', 50]])
  const large = limitWaiting(fill('a', 40, 60 * kib), null)
  is(large.kept.length, 17)
  is(numbers(large.kept, 'a').at(-1), 39)
})

test('a room with many events takes no place of a room with few', () => {
  const hostile = Array.from({ length: 30 }, (_, n) => fill(`hostile ${n}`, 40, 60 * kib)).flat()
  const { kept, dropped } = limitWaiting([...fill('small', 20, kib), ...hostile], null)
  is(numbers(kept, 'small').length, 20)
  is(dropped.has('small'), false)
  ok(JSON.stringify(kept).length < 4.5 * kib * kib)
})

test('many small rooms take no place of the main room', () => {
  const hostile = Array.from({ length: 3000 }, (_, n) => fill(`hostile ${n}`, 1)).flat()
  const { kept } = limitWaiting([...fill('main', 200, 4 * kib), ...hostile], 'main')
  is(numbers(kept, 'main').length, 200)
  is(kept.length, 1000)
})

test('drops an event that is larger than a room may have', () => {
  const { kept, dropped } = limitWaiting([...fill('a', 2), ...fill('a', 1, 2000 * kib)], null)
  equal(numbers(kept, 'a'), [0, 1])
  equal([...dropped], [['a', 1]])
})

test.run()
