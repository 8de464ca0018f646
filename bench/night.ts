/**
 * Measures a consolidation of the talk and a night, without the model, which answers immediately here: a day
 * of 200 messages, and one of 10 000 facts.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '../test/calls.ts'
import { startDaemon } from '../test/daemon.ts'
import { standIn } from '../test/http/stand-in.ts'
import { fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { timed } from './load.ts'

const facts = 10_000
const fewFacts = 500

export const night = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const [long, short] = await fillHome(home, [facts, fewFacts])
  const models = standIn()
  let asked = 0
  const quick = {
    ...models,
    mind: () => ({
      async *think() {
        asked++
        yield {
          type: 'words' as const,
          text: '{"operations": [], "carry": "So it is.", "summary": "We talked."}',
        }
        yield { type: 'end' as const, usage: { input: 1, output: 1 } }
      },
    }),
  }
  const daemon = await startDaemon({ home, models: quick })
  const at = (id = '') => `/api/persona/${id}`
  const awake = async (id = '') => {
    while (
      !(await call(daemon.url, 'GET', '/api/personas')).body.personas.find(
        (one: { id: string }) => one.id === id,
      )?.running
    )
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all([awake(long), awake(short)])
  const before = asked
  const few = await timed(() =>
    call(daemon.url, 'POST', `${at(short)}/sleep`, undefined, { within: 120_000 }),
  )
  const fewSpans = asked - before
  const whole = await timed(() =>
    call(daemon.url, 'POST', `${at(long)}/sleep`, undefined, { within: 120_000 }),
  )
  const spans = asked - before - fewSpans
  const chain = await timed(() => call(daemon.url, 'POST', `${at(long)}/verify`))
  await daemon.close()
  await rm(home, { recursive: true, force: true })
  return [
    {
      label: `a night after 200 messages (${fewSpans} model calls), without the model`,
      value: few,
      unit: 'ms',
      goal: '< 200 ms',
      met: few < 200,
    },
    {
      label: `a night after a day of 10 000 facts (${spans} model calls), without the model`,
      value: whole,
      unit: 'ms',
      baseline: { label: 'verifying the chain alone', value: chain },
      goal: '< 2000 ms',
      met: whole < 2000,
    },
  ]
}
