/** A platform that redirects to another server: neither the token nor a message goes there. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Log } from '../../packages/kit/log.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createDiscordPlatform } from '../../src/channels/discord/platform.ts'
import { type Listener, SendError } from '../../src/channels/platform.ts'
import { createTelegramPlatform } from '../../src/channels/telegram/platform.ts'
import { TokenRefused } from '../../src/commands/bots.ts'

interface World {
  ends: (() => unknown)[]
}
const test = suite<World>('redirects', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/**
 * Records the first line and the headers of each request, and answers with `status` and a redirect to `to`.
 */
const startRedirect = async ({ ends }: World, status: number, target = '') => {
  const came: string[] = []
  const server: Server = createServer((request, response) => {
    came.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    request.resume()
    response.writeHead(status, target === '' ? {} : { location: `${target}${request.url}` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { came, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const token = '4242:AAH-token-that-goes-nowhere-else-0123456789'
const platforms = { telegram: createTelegramPlatform, discord: createDiscordPlatform }

// Seen failing with `redirect: 'follow'` in the network: the token reached the other server.
for (const kind of ['telegram', 'discord'] as const)
  for (const status of [301, 302, 303, 307, 308])
    test(`${kind} answers ${status}: rejects the token, sends nothing, and makes no request to the other server`, async (world) => {
      const otherServer = await startRedirect(world, 200)
      const base = await startRedirect(world, status, otherServer.url)
      const network = createNetwork({ env: {} })
      world.ends.push(network.close)
      const lines: string[] = []
      const note = (fields: object, sentence: string) =>
        void lines.push(`${sentence} ${JSON.stringify(fields)}`)
      const log: Log = { debug: note, info: note, warn: note, error: note }
      const platform = platforms[kind]({ base: base.url, network, clock: systemClock(), log })
      const neverAborts = new AbortController().signal
      const getError = async (work: Promise<unknown>): Promise<Error> => {
        try {
          await work
        } catch (error) {
          lines.push(String(error))
          return error as Error
        }
        throw new Error('it went well')
      }
      assert.instance(await getError(platform.check(token, neverAborts)), TokenRefused)

      const listener: Listener = {
        onMessage: async () => undefined,
        onPress: async () => null,
        onTrouble: (reason) => void lines.push(reason),
        onRecovery: () => undefined,
      }
      const gateway = platform.open(token, { id: '4242', name: 'fern_bot' }, listener, { folder: '' })
      assert.instance(
        await getError(gateway.send('99', 'between us', 'a'.repeat(24), neverAborts)),
        SendError,
      )
      await gateway.close()
      assert.ok(base.came.length > 1)
      assert.equal(otherServer.came, [])
      assert.not.ok(lines.some((word) => word.includes('AAH-token')))
    })

test.run()
