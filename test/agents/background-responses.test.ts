/** Responses in the background during disk failures. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { evolve } from '../../projections/persona.ts'
import { createBackgroundResponses } from '../../src/agents/background-responses.ts'
import { JournalUnavailable } from '../../src/persona/refusals.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { factsByType } from '../journal/facts.ts'

const { PersonaCreated: created, ResponseBegan: began } = factsByType
const persona = [created, began].reduce<ReturnType<typeof evolve> | undefined>(
  (state, event: PersonaEvent, n) => evolve(state, { seq: n + 1, at: 0, event }),
  undefined,
)

const said = { heard: 'Hi', spoken: 'Hello.', notice: null }
const tokens = { input: 1, output: 1, cached: 0 }

// Fails if a response stays open after one failed write, or if its messages are recorded by another command.
test('writes the end of a response and its messages again until the disk takes them', async () => {
  if (!persona) throw new Error('no persona')
  const commands: Command[] = []
  const asked: unknown[] = []
  const clock = createFakeClock()
  const ignore = () => {}
  const responses = createBackgroundResponses(
    {
      id: 'ada',
      life: 1,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      clock,
      read: async () => ({ request: began.request, earlierItems: [] }) as never,
      execute: async (command) => {
        commands.push(command)
        if (commands.length < 3) throw new JournalUnavailable('the disk refused the write')
      },
      converse: async ({ recordsItself }) => {
        asked.push(recordsItself)
        return { text: 'Hello.', calls: [], cut: false, tokens, unrecorded: said }
      },
    },
    new AbortController().signal,
  )
  responses.check(persona)
  await waitFor('three writes', async () => {
    await clock.advance(60_000)
    return commands.length === 3
  })
  await responses.waitForEnd()
  assert.equal(asked, [true])
  assert.equal(
    commands.map((command) => command.type === 'EndResponse' && [command.ended.status, command.said]),
    Array.from({ length: 3 }, () => ['completed', said]),
  )
})

test.run()
