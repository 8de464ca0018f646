import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../../../../test/clock.ts'
import { createChance } from '../../../../test/random.ts'
import { createKeyedPool } from '../../flow/keyed-pool.ts'

/** Without a limit, 30 are open. */
test('limits the number of open resources and closes none that is in use', async () => {
  const chance = createChance('a pool')
  const most = 5
  const open = new Set<string>()
  let highestCount = 0
  const someTurns = async () => {
    for (let n = chance.pickBetween(0, 3); n > 0; n--) await new Promise(setImmediate)
  }
  const pool = createKeyedPool<{ name: string }>({
    open: async (name) => {
      assert.not(open.has(name), 'never open twice')
      open.add(name)
      highestCount = Math.max(highestCount, open.size)
      await someTurns()
      if (chance.next() < 0.05) {
        open.delete(name)
        throw new Error('cannot be opened')
      }
      return { name }
    },
    close: async ({ name }) => {
      await someTurns()
      open.delete(name)
      if (chance.next() < 0.05) throw new Error('cannot be closed')
    },
    inTime: (opening) => opening,
    onError: () => undefined,
    clock: createFakeClock(),
    interval: 60_000,
    maxItems: most,
  })
  let useCount = 0
  const user = async () => {
    for (let n = 0; n < 200; n++) {
      const name = `n${chance.pickBetween(1, 30)}`
      if (chance.next() < 0.05) await pool.close(name).catch(() => undefined)
      await pool
        .use(name, async (item) => {
          await someTurns()
          assert.ok(open.has(item.name), 'closed under a user')
          useCount++
        })
        .catch((error: Error) => assert.is(error.message, 'cannot be opened'))
    }
  }
  await Promise.all(Array.from({ length: 20 }, user))
  await pool.closeAll()
  assert.ok(useCount > 3000)
  assert.is(highestCount, most, `${highestCount} are open`)
  assert.is(open.size, 0)
})

test('closes resources that are unused for a round, and opens them again on demand', async () => {
  const clock = createFakeClock()
  const order: string[] = []
  const pool = createKeyedPool<string>({
    open: async (name) => {
      order.push(`${name} opens`)
      return name
    },
    close: async (name) => void order.push(`${name} closes`),
    inTime: (opening) => opening,
    onError: () => assert.unreachable(),
    clock,
    interval: 60_000,
    maxItems: 5,
  })
  await pool.use('ada', async () => {})
  let leave = () => {}
  const staying = pool.use('bo', () => new Promise<void>((end) => (leave = end)))
  await clock.advance(60_000)
  assert.equal(order, ['ada opens', 'bo opens'])
  await clock.advance(60_000)
  assert.equal(order, ['ada opens', 'bo opens', 'ada closes'])
  const closing = pool.whileClosed('bo', async () => void order.push('bo is closed'))
  const secondUse = pool.use('bo', async () => void order.push('bo is used'))
  leave()
  await Promise.all([staying, closing, secondUse])
  assert.equal(order.slice(3), ['bo closes', 'bo is closed', 'bo opens', 'bo is used'])
  await pool.closeAll()
  assert.is(order.at(-1), 'bo closes')
  assert.is(
    await pool.use('ada', async () => assert.unreachable()).catch(({ message }) => message),
    'the service is closing',
  )
})

test.run()
