/** A whole life with tracing on: no exported byte holds words of the talk, names, keys or tokens. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'
import { createSecret, isIn } from '../secrets/search.ts'
import { startTraced } from './setup.ts'

const marks: string[] = []
/** Returns a word that is unlike all others. */
const marked = (kind: string): string => {
  const mark = `${kind}-${randomBytes(9).toString('hex')}`
  marks.push(mark)
  return mark
}

// Fails if a span records a path, a query, an error message, a URL, a header, or a tool's input or output.
test('exports no word, name, key or token', async () => {
  const collectorKey = marked('collector')
  const traced = await startTraced({
    env: {
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorKey}`,
      TELEGRAM_API_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_API_KEY: marked('key'),
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
    },
  })
  const { daemon, ollama, collector } = traced
  const path = await traced.born({ name: marked('name'), thinking_api_key: marked('key') })
  const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', place: string, body?: unknown) =>
    call(daemon.url, method, place, body)

  // Talk, with tools of the daemon and of a server.
  const file = fileURLToPath(new URL('../secrets/echo-server.mjs', import.meta.url))
  const declared = {
    command: process.execPath,
    args: [file, marked('argument')],
    env: { KEY: marked('env') },
  }
  assert.is((await send('PUT', `${path}/tools/echo`, declared)).status, 200)
  await send('POST', `${path}/tools/echo/probe`)
  for (const tool of ['tell', 'fail', 'die'])
    assert.is((await send('PATCH', `${path}/tools/echo/${tool}`, { mode: 'allow' })).status, 200)
  const answers = [
    { calls: [{ name: 'recall', arguments: { query: marked('query') } }] },
    { calls: [{ name: marked('tool'), arguments: {} }] },
    { calls: [{ name: 'echo__tell', arguments: { a: marked('input') } }] },
    { calls: [{ name: 'echo__fail', arguments: {} }] },
    { calls: [{ name: 'echo__die', arguments: {} }] },
    { content: marked('answer') },
  ]
  traced.answer = () => answers.shift() ?? marked('answer')
  const reply = await send('POST', `${path}/read?wait=30`, { message: marked('message') })
  assert.is(reply.status, 200)
  assert.equal(answers, [])
  ollama.faults.fails = 3
  ollama.faults.failStatus = 400
  ollama.faults.failWords = marked('failure')
  await send('POST', `${path}/read?wait=30`, { message: marked('message') })
  ollama.faults.fails = 0
  const attachment = toForm([{ name: 'file', filename: `${marked('file')}.txt`, content: marked('content') }])
  await ask(daemon.port, { method: 'POST', path: `${path}/attach?wait=30`, ...attachment })

  // Memory, calendar, search, channels, other programs.
  await send('POST', `${path}/memories`, { document: 'person', text: marked('memory') })
  await send('POST', `${path}/calendar`, {
    kind: 'reminder',
    content: marked('plan'),
    when: '2099-01-01T09:00',
  })
  await send('GET', `${path}/search?q=${marked('search')}`)
  const token = `${String(Date.now()).slice(-10)}:${marked('token').padEnd(35, 'x')}`
  await send('POST', `${path}/channels`, { kind: 'telegram', credentials: { token } })
  await send('POST', '/v1/chat/completions', {
    model: path.split('/').at(-1),
    messages: [{ role: 'user', content: marked('message') }],
  })
  await send('PATCH', `${path}/organs/eye`, { provider: 'openai', model: 'x', api_key: marked('key') })
  await send('POST', `${path}/update`, { name: marked('name') })

  // Requests that fail.
  for (const place of ['/api/persona/', '/api/', '/', '/mcp/', '/ws/', '/v1/'])
    await send('GET', `${place}${marked('path')}/x?y=${marked('value')}`)
  await send('POST', `${path}/read`, { [marked('field')]: marked('value') })
  await ask(daemon.port, {
    path: `/api/personas`,
    headers: {
      traceparent: marked('header'),
      baggage: `a=${marked('baggage')}`,
      'user-agent': marked('agent'),
    },
  })

  // The rest of its life.
  await send('POST', `${path}/sleep`)
  await send('POST', `${path}/stop`)
  await send('POST', `${path}/start`)
  await send('POST', `${path}/delete`)
  const spans = await traced.stop()

  const names = new Set(spans.map(({ name }) => name))
  for (const name of ['invoke_agent', 'execute_tool echo__tell', 'command RecordToolAnswer', 'tools/call'])
    assert.ok(names.has(name), name)
  assert.is(collector.requests[0]?.headers.authorization, `Bearer ${collectorKey}`)
  const exported = collector.bodies.join('\n')
  for (const mark of [...marks, daemon.home, token])
    assert.not.ok(isIn(createSecret(mark, mark), exported), `${mark} was exported`)
  assert.not.ok(isIn(createSecret('key', collectorKey), traced.logLines.join('')))
})

test.run()
