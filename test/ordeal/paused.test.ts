/**
 * The built daemon is stopped in the middle of its work (SIGSTOP), as by a suspended machine or a debugger,
 * and continued later (SIGCONT).
 */
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaId } from '../../facts/fact-values.ts'
import { call, pause, waitFor } from '../calls.ts'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'
import { runDaimon, startProcess } from '../process/daemon.ts'
import { createChance } from '../random.ts'
import { readStory } from '../simulation/story.ts'
import { type ChatRequest, createOllama } from '../stand-ins/ollama.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { compareTalk, getStory, readHome } from './stories.ts'

const rounds = scaleSize(60)
/** In ms: longer than the timeouts of the disk and of a socket; `npm test` has no time for that. */
const longStops = isWhole ? [15_000, 70_000] : []

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('SIGSTOP', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Client {
  readonly url: string
  readonly id: PersonaId
  readonly name: string
  readonly ledger: Ledger
  readonly stopSignal: AbortSignal
}

/** Sends the same message with the same key until it is acknowledged, then the next. */
const talk = async ({ url, id, name, ledger, stopSignal }: Client): Promise<void> => {
  for (let n = 0; !stopSignal.aborted; n++) {
    const value = `${name}-${n}.`
    const entry = ledger.note(name, value)
    while (entry.outcome === 'open' && !stopSignal.aborted) {
      // The client times out before the daemon continues, and never learns the outcome of that request.
      const options = { key: value, within: 400 }
      const reply = await call(
        url,
        'POST',
        `/api/persona/${id}/read?wait=0`,
        { message: value },
        options,
      ).catch(() => undefined)
      if (reply?.status === 200) ledger.close(entry, 'acknowledged')
      else if (reply && reply.status !== 500) throw new Error(`${value} was answered ${reply.status}`)
    }
    await pause(5)
  }
}

/** The model answers with the messages in the prompt: all since its last answer. */
const echo = ({ messages }: ChatRequest): string => {
  const newMessages = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return `I heard ${newMessages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join(' and ')} .`
}

// Fails without the dedupe key (`first-2. was received twice`).
test('a daemon that is stopped and continued loses nothing, answers once, and keeps the lock of its home meanwhile', async ({
  ends,
}) => {
  const chance = createChance('pauses')
  const ollama = await createOllama({ answer: echo, faults: { chunk: 4096 } })
  ends.push(ollama.close)
  const daemon = await startProcess({ env: { OLLAMA_BASE_URL: ollama.url } })
  ends.push(async () => {
    await daemon.kill('SIGKILL')
    await rm(daemon.home, { recursive: true, force: true })
  })
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const id: PersonaId = body.persona.id
  assert.is(
    (await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=30`, { message: 'Hello' })).status,
    200,
  )

  const ledger = createLedger()
  const stop = new AbortController()
  ends.push(() => stop.abort())
  const clients = ['first', 'second'].map((name) =>
    talk({ url: daemon.url, id, name, ledger, stopSignal: stop.signal }),
  )
  for (const client of clients) client.catch(() => stop.abort())
  const shortStops = Array.from({ length: rounds }, () => chance.pickBetween(20, 700))
  for (const [n, ms] of [...shortStops, ...longStops].entries()) {
    const stateBefore = ledger.count()
    await waitFor('more messages', () => ledger.count() > stateBefore + 2 || stop.signal.aborted)
    await pause(chance.pickBetween(0, 20))
    daemon.child.kill('SIGSTOP')
    if (n === 0) {
      const { code, stderr } = await runDaimon({ home: daemon.home }).whenEnded
      assert.is(code, 1)
      assert.match(stderr, `process ${daemon.child.pid}`)
    }
    await pause(ms)
    daemon.child.kill('SIGCONT')
  }
  const stateBefore = ledger.count()
  await waitFor('the daemon to continue', () => ledger.count() > stateBefore + 2 || stop.signal.aborted)
  stop.abort()
  await Promise.all(clients)
  const last = await call(
    daemon.url,
    'POST',
    `/api/persona/${id}/read?wait=30`,
    { message: 'the end.' },
    { timeoutMs: 60_000 },
  )
  assert.ok(last.body.reply, 'the last message is never answered')
  printFigures(
    'SIGSTOP',
    `${rounds + longStops.length} times`,
    `longest ${Math.max(...shortStops, ...longStops)} ms`,
    `${ledger.count()} messages`,
  )

  const { code, stderr } = await daemon.kill('SIGTERM')
  assert.is(code, 0)
  assert.not.match(stderr, /"level":"(error|fatal)"/)
  const stories = await readHome(daemon.home)
  assert.ok(stories.get(id)?.verdict.intact)
  compareTalk(ledger, getStory(stories, id), ['first', 'second'], true)
  const wrong: string[] = []
  readStory(id, getStory(stories, id), true, (problem) => wrong.push(problem))
  assert.equal(wrong, [])
})

test.run()
