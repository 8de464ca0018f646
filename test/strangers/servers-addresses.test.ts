/** Addresses as people paste them: a row each. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hello, think } from '../models/cloud-stage.ts'
import { close, done, hi, json, openMind, openServer, stop, type World } from './odd-server.ts'

const test = suite<World>('servers: addresses', { closers: [] })
test.after.each(close)

for (const tail of ['/v1/chat/completions', '/v1/responses/', '/v1/models', '/chat/completions', '/v1/'])
  test(`an address that was pasted with ${tail} is read as the address before it`, async (world) => {
    const { url } = await openServer(world, ({ path }) =>
      path === '/v1/chat/completions' ? { body: hi + stop + done } : json({}, 404),
    )
    assert.is((await think(openMind(world, `${url}${tail}`), hello)).text, 'hello')
  })

test.run()
