/** If the MCP client cannot be loaded, talking, stopping and deleting still work. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Persona } from '../../projections/persona.ts'
import { createServerTools } from '../../src/tool-servers/server-tools.ts'

const server = { transport: 'stdio', command: 'x', args: [], cwd: null, env: [] } as const
const persona = { self: { id: 'ada', servers: { post: { server, tools: {} } } } } as unknown as Persona

// Fails if the import error reaches a caller that lists tools, if loading is not retried, and if closing
// waits for it and fails with it.
test('logs the failed import, retries it, and causes no unhandled rejection', async () => {
  let loads = 0
  let fail = () => {}
  const lines: unknown[] = []
  const note = (...args: unknown[]) => void lines.push(args)
  const log = { debug: note, info: note, warn: note, error: note }
  const tools = createServerTools({
    personas: {} as never,
    env: {},
    log,
    open: () => {
      loads++
      return new Promise((_, reject) => {
        fail = () => reject(new Error('Cannot find package'))
      })
    },
  })
  const waitForBegin = async (n: number) => {
    while (loads < n) await new Promise(setImmediate)
  }
  await tools.rest('ada')
  assert.is(loads, 0)
  const loadingTools = tools.of(persona)
  await waitForBegin(1)
  const whenResting = tools.rest('ada')
  fail()
  await whenResting
  assert.equal(await loadingTools, [])
  const reloadedTools = tools.of(persona)
  await waitForBegin(2)
  fail()
  assert.equal(await reloadedTools, [])
  assert.equal([loads, lines.length], [2, 2])
  await tools.rest('ada')
  await tools.close()
})

test.run()
