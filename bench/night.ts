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
import { measureMs } from './load.ts'

const facts = 10_000
const fewFacts = 500

export const night = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const [longLife, shortLife] = await fillHome(home, [facts, fewFacts])
  const models = standIn()
  let callCount = 0
  const quick = {
    ...models,
    mind: () => ({
      async *think() {
        callCount++
        yield {
          type: 'words' as const,
          text: '{"operations": [], "carry": "So it is.", "summary": "We talked."}',
        }
        yield { type: 'end' as const, usage: { input: 1, output: 1 } }
      },
    }),
  }
  const daemon = await startDaemon({ home, models: quick })
  const getPersonaPath = (id = '') => `/api/persona/${id}`
  const awake = async (id = '') => {
    while (
      !(await call(daemon.url, 'GET', '/api/personas')).body.personas.find(
        (persona: { id: string }) => persona.id === id,
      )?.running
    )
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all([awake(longLife), awake(shortLife)])
  const callCountBefore = callCount
  const fewMs = await measureMs(() =>
    call(daemon.url, 'POST', `${getPersonaPath(shortLife)}/sleep`, undefined, { timeoutMs: 120_000 }),
  )
  const fewSpans = callCount - callCountBefore
  const wholeMs = await measureMs(() =>
    call(daemon.url, 'POST', `${getPersonaPath(longLife)}/sleep`, undefined, { timeoutMs: 120_000 }),
  )
  const spans = callCount - callCountBefore - fewSpans
  const chain = await measureMs(() => call(daemon.url, 'POST', `${getPersonaPath(longLife)}/verify`))
  await daemon.close()
  await rm(home, { recursive: true, force: true })
  return [
    {
      label: `a night after 200 messages (${fewSpans} model calls), without the model`,
      value: fewMs,
      unit: 'ms',
      goal: '< 200 ms',
      isMet: fewMs < 200,
    },
    {
      label: `a night after a day of 10 000 facts (${spans} model calls), without the model`,
      value: wholeMs,
      unit: 'ms',
      baseline: { label: 'verifying the chain alone', value: chain },
      goal: '< 2000 ms',
      isMet: wholeMs < 2000,
    },
  ]
}
