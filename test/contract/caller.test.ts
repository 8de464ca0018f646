/** Clients that disconnect, and a daemon that stops, while a model is being prepared. */
import { request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'

const startPreparing = async () => {
  const models = standIn()
  const lines: string[] = []
  const daemon = await startDaemon({ models, logTo: (line) => lines.push(line) })
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
  })
  const signals: AbortSignal[] = []
  models.prepare = (_slot, _organ, _progress, signal) =>
    new Promise((_resolve, reject) => {
      if (!signal) throw new Error('there is no signal')
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  models.doneCalls.length = 0
  const view = async () => (await call(daemon.url, 'GET', '/api/personas')).body.personas
  return { daemon, models, lines, signals, view, persona: `/api/persona/${body.persona.id}` }
}

const getErrors = (lines: readonly string[]) => lines.filter((line) => JSON.parse(line).level >= 50)
const preparingRequests = (persona: string) => [
  ['/api/persona/create', { name: 'Eva', thinking_model: 'qwen', thinking_api_key: 'sk-1' }] as const,
  [`${persona}/update`, { name: 'Eva', thinking: { model: 'qwen', api_key: 'sk-1' } }] as const,
]

test('stops the preparation and saves nothing when the client disconnects', async () => {
  const { daemon, models, lines, signals, view, persona } = await startPreparing()
  try {
    for (const [path, body] of preparingRequests(persona)) {
      const countBefore = signals.length
      const httpRequest = request(`${daemon.url}${path}`, {
        method: 'POST',
        agent: false,
        headers: { 'Content-Type': 'application/json' },
      })
      httpRequest.on('error', () => {})
      httpRequest.end(JSON.stringify(body))
      await waitFor('the preparation', () => signals.length > countBefore)
      httpRequest.destroy()
      await waitFor('the abort', () => signals.at(-1)?.aborted === true)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(
      (await view()).map(({ name, base_model }: { name: string; base_model: string }) => [name, base_model]),
      [['Ada', 'llama']],
    )
    assert.equal(models.doneCalls, [])
    assert.equal(getErrors(lines), [])
  } finally {
    await daemon.close()
  }
})

test('creates no persona when the client disconnects just before it is saved, because its phrase could not be sent', async () => {
  const { daemon, models, view } = await startPreparing()
  try {
    models.prepare = async () => {}
    const httpRequest = request(`${daemon.url}/api/persona/create`, {
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json' },
    })
    httpRequest.on('error', () => {})
    const wrapperRemoved = new Promise<void>((resolve) => {
      models.unwrap = async () => resolve()
    })
    models.wrap = async () => {
      httpRequest.destroy()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    httpRequest.end(JSON.stringify({ name: 'Eva', thinking_model: 'qwen' }))
    await wrapperRemoved
    assert.is((await view()).length, 1)
  } finally {
    await daemon.close()
  }
})

test('returns 503 and logs no error when the daemon stops', async () => {
  const { daemon, lines, signals, persona } = await startPreparing()
  const replies = preparingRequests(persona).map(([path, body]) => call(daemon.url, 'POST', path, body))
  await waitFor('the preparation', () => signals.length === 2)
  await daemon.close()
  for (const { status, body } of await Promise.all(replies))
    assert.equal([status, body], [503, { detail: 'The service is stopping; nothing was saved.' }])
  assert.equal(getErrors(lines), [])
})

test.run()
