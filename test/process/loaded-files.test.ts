/** Which files of the built daemon a start and the commands of the command line load (scripts/packs.mjs). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endAll, newHome, runProcess, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('loaded files', { ends: [] })
test.after.each(endAll)

const recordReads = new URL('./record-reads.mjs', import.meta.url).href

const recorded = async (world: World) => {
  const home = await newHome(world)
  const file = join(home, 'reads')
  const env = { NODE_OPTIONS: `--import ${recordReads}`, RECORDED_READS: file }
  const readNames = async () => (await readFile(file, 'utf8')).split('\n')
  return { home, env, readNames }
}

const isPack = (name: string): boolean => /^(?:serve|app)-[A-Z0-9]{8}-[0-9a-f]{6}\.cjs$/.test(name)

test('a start reads few files before it listens, and handlers of requests later', async (world) => {
  const { home, env, readNames } = await recorded(world)
  await startDaemonProcess(world, { home, env })
  const names = await readNames()
  assert.equal(
    names.filter(isPack).map((name) => name.split('-')[0]),
    ['serve'],
  )
  assert.ok(names.length < 40, `${names.length} files`)
})

for (const args of [['list'], ['talk', '--help'], ['audition', '--help'], ['doctor']])
  test(`daimon ${args.join(' ')} reads no code that only the daemon needs`, async (world) => {
    const { home, env, readNames } = await recorded(world)
    await runProcess(world, { home, env, args }).whenEnded
    const names = await readNames()
    assert.ok(names.includes('daimon.cjs'))
    assert.equal(names.filter(isPack), [])
  })

test.run()
