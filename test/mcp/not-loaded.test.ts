/**
 * What speaks to servers of tools cannot be loaded: nobody is kept from talking, stopping or being deleted.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Persona } from '../../projections/persona.ts'
import { createServerTools } from '../../src/tool-servers/server-tools.ts'

const server = { transport: 'stdio', command: 'x', args: [], cwd: null, env: [] } as const
const persona = { self: { id: 'ada', servers: { post: { server, tools: {} } } } } as unknown as Persona

test('it is logged, tried again, and never rejects where nobody looks', async () => {
  let loads = 0
  const logged: unknown[] = []
  const note = (...told: unknown[]) => void logged.push(told)
  const log = { debug: note, info: note, warn: note, error: note }
  const tools = createServerTools({
    personas: {} as never,
    env: {},
    log,
    open: async () => {
      loads++
      throw new Error('Cannot find package')
    },
  })
  await tools.rest('ada')
  assert.is(loads, 0)
  const loading = tools.of(persona)
  await tools.rest('ada')
  assert.equal(await loading, [])
  assert.equal(await tools.of(persona), [])
  assert.equal([loads, logged.length], [2, 2])
  await tools.rest('ada')
  await tools.close()
})

test.run()
