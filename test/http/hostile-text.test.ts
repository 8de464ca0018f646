/**
 * Hostile texts that could block the daemon for half a minute by slow regular expressions. Each is answered
 * with little CPU time.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, type Reply } from '../calls.ts'
import { startDaemon } from '../daemon.ts'

/** Max CPU seconds of this process. Fails with slow expressions: 14 to 60. */
const maxSeconds = 5

const assertCheap = async (label: string, work: () => Promise<Reply>): Promise<Reply> => {
  const cpuBefore = process.cpuUsage()
  const reply = await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  const seconds = (user + system) / 1e6
  assert.ok(seconds < maxSeconds, `${label}: ${seconds} s`)
  return reply
}

/** Starts a provider that refuses every request with this body. */
const withRefusingProvider = async (body: string, act: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(
    (_, response) => void response.writeHead(400, { 'content-type': 'text/plain' }).end(body),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const withDaemon = async (act: (url: string) => Promise<void>): Promise<void> => {
  const daemon = await startDaemon()
  try {
    await act(daemon.url)
  } finally {
    await daemon.close()
  }
}

test('shortens an error of 200,000 repeated letters, blanks, stars or full stops without delay', () =>
  withDaemon(async (url) => {
    for (const part of ['a', ' ', '*', '.', 'sk-', 'Bearer ', 'no image ', '\t\n', '{"error":'])
      await withRefusingProvider(`${part.repeat(200_000)}!`, async (address) => {
        for (const provider of ['openai', 'anthropic', 'gemini', 'xai', 'local']) {
          const fields = { provider, url: address, api_key: 'sk-abcdefgh' }
          const { status, body } = await assertCheap(`${provider}: ${part}`, () =>
            call(url, 'POST', '/api/models', fields),
          )
          assert.is(status, 400)
          assert.ok(body.detail.length < 600, body.detail)
          assert.not.ok(body.detail.includes('sk-abcdefgh'))
        }
      })
  }))

test('handles an address of a hundred thousand slashes without delay', () =>
  withDaemon(async (url) => {
    for (const path of ['/', '/v1/', '/v', '@', ':', '?', '%2f', '.'])
      for (const provider of ['openai', 'gemini', 'local', null]) {
        const fields = {
          provider,
          url: `http://127.0.0.1:9${path.startsWith('/') ? '' : '/'}${path.repeat(100_000)}x`,
          api_key: 'sk-abcdefgh',
        }
        const { status } = await assertCheap(`${provider}: ${path}`, () =>
          call(url, 'POST', '/api/models', fields),
        )
        assert.is(status, 400)
      }
  }))

test.run()
