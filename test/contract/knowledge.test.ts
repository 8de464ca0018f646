/** GET /api/persona/{persona_id}/knowledge */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { unknownPersona } from './setup.ts'

let daemon: TestDaemon
test.before(async () => {
  daemon = await startDaemon()
})
test.after(() => daemon.close())

const callRoute = async (path: string, body?: unknown) => {
  const { status, body: answer } = await call(daemon.url, body === undefined ? 'GET' : 'POST', path, body)
  return [status, answer] as const
}

test('shows the memories as documents without the empty ones, and the six built-in instructions', async () => {
  const [, created] = await callRoute('/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  const personaPath = `/api/persona/${created.persona.id}`
  await callRoute(`${personaPath}/read?wait=20`, { message: 'My name is Mia and I live in Lisbon.' })
  const [status, { memory, instruction }] = await callRoute(`${personaPath}/knowledge`)
  is(status, 200)
  equal(memory, { person: '- Their name is Mia.\n- They live in Lisbon.' })
  equal(
    instruction.map(({ intention, source }: { intention: string; source: string }) => [intention, source]),
    [
      'conversation',
      'reminders and plans',
      'looking back',
      'documents and pictures',
      'something is wrong',
      'a request she cannot do',
    ].map((intention) => [intention, 'builtin']),
  )
  ok(instruction.every(({ body }: { body: string }) => body.length > 100))
  await callRoute(`${personaPath}/stop`, {})
  equal(await callRoute(`${personaPath}/knowledge`), [200, { memory, instruction }])
})

test('returns 404 for a missing persona', async () => {
  equal(await callRoute('/api/persona/nobody/knowledge'), unknownPersona)
})

test.run()
