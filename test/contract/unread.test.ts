/** Responses for a persona whose journal could not be read at the start. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Unavailable } from '../../journal/log/errors.ts'
import type { Stores } from '../../journal/log/store.ts'
import { call, waitFor } from '../calls.ts'
import { createHome, createUsage } from '../create-journal.ts'
import { startDaemon } from '../daemon.ts'

const unreadBody = { detail: 'JournalUnavailable: the journal cannot be opened now' }

/**
 * A home without a catalog, in which only the journal has the personas. Fails if an unreadable journal is
 * treated as missing (404).
 */
test('returns 500 instead of 404 for a persona whose journal cannot be read, and finds it again later', async () => {
  const home = await createHome([{ at: '2026-10-24T10:00:00+02:00', events: [createUsage(1)] }])
  let refuses = true
  const stores = (inner: Stores): Stores => ({
    ...inner,
    open: async (id) => {
      if (refuses) throw new Unavailable('the disk is away')
      return inner.open(id)
    },
  })
  const { url, close } = await startDaemon({ home, stores })
  const requests = [
    ['GET', 'journal'],
    ['GET', 'conversation'],
    ['GET', 'diagnose'],
    ['POST', 'start'],
    ['POST', 'delete'],
  ] as const
  for (const [method, path] of requests) {
    const { status, body } = await call(url, method, `/api/persona/ada/${path}`)
    assert.equal([path, status, body], [path, 500, unreadBody])
  }
  const asMcp = await call(url, 'POST', '/mcp/ada', { jsonrpc: '2.0', id: 1, method: 'ping' })
  assert.is(asMcp.status, 500)
  const sleepReply = await call(url, 'POST', '/api/persona/ada/sleep')
  assert.equal([sleepReply.status, sleepReply.body], [409, { detail: 'Persona is not active.' }])
  const unknownReply = await call(url, 'GET', '/api/persona/nobody/conversation')
  assert.equal([unknownReply.status, unknownReply.body], [404, { detail: 'Persona not found.' }])
  refuses = false
  await waitFor(
    'the persona',
    async () => (await call(url, 'GET', '/api/persona/ada/conversation')).status === 200,
  )
  await close()
  await rm(home, { recursive: true })
})

test.run()
