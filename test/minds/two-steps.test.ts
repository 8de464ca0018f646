/**
 * A turn of two steps with every provider, through the whole daemon: a tool call, then text. The turn is
 * interrupted in every way and continued by another provider.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { startProcess } from '../process/daemon.ts'
import type { Fault } from '../stand-ins/faults.ts'
import type { Answer } from '../stand-ins/provider.ts'
import { createHost, getKey, type Kind, kinds, type ModelRequest } from './hosts.ts'
import {
  forEachHost,
  type HostedPersona,
  type ProviderSetup,
  secretWord,
  withProviderSetup,
} from './provider-setup.ts'

/** Verified to fail if the signal is not passed to the provider, and if recorded steps are not reused. */
const text = 'Then we know that now.'
const rememberCall = { name: 'remember', input: { op: 'keep', document: 'person', text: 'lives in Lisbon' } }

const twoSteps = ({ results }: ModelRequest): Answer =>
  results.length === 0
    ? { text: 'Noted.', calls: [rememberCall], usage: { input: 100, output: 7, cached: 40 } }
    : { text, usage: { input: 150, output: 5, cached: 110 } }

const inSetup = (play: (setup: ProviderSetup) => Promise<void>): Promise<void> =>
  withProviderSetup({ answer: twoSteps }, play)

const first = `I live in Lisbon, ${secretWord}.`
const conversation = [`person: ${first}`, 'assistant: Noted.', `assistant: ${text}`]
/** Faults of the next turn: only its second step stalls. */
const stall: readonly (Fault | null)[] = [null, { what: 'stall', after: 4 }]

/** The form of a tool result in each provider's API. */
const forms: Readonly<Record<Kind, RegExp>> = {
  anthropic:
    /^\{"role":"user","content":\[\{"type":"tool_result","tool_use_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"/,
  openai: /^\{"type":"function_call_output","call_id":"(\w+)","output":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  gemini:
    /^\{"role":"user","parts":\[\{"functionResponse":\{.*"name":"remember","response":\{"name":"remember","content":"\{\\"kept\\":\\"m\w+\\"\}"\}\}\}\]\}$/,
  xai: /^\{"role":"tool","tool_call_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  compatible: /^\{"role":"tool","tool_call_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  ollama: /^\{"role":"tool","content":"\{\\"kept\\":\\"m\w+\\"\}","tool_name":"remember"\}$/,
}

test("returns a tool result in the provider's form, and records each step in the usage and the turn", () =>
  inSetup(async (setup) => {
    const personas = await setup.born()
    await setup.passing(
      forEachHost(personas, async (persona) => {
        const { outcome, texts, startCount } = await persona.say(first)
        assert.equal([outcome, texts, startCount], ['answered', ['Noted.', text], 2])
        const [firstRequest, secondRequest] = persona.host.getRequests().slice(-2)
        assert.equal([firstRequest?.results.length, secondRequest?.results.length], [0, 1])
        assert.ok(firstRequest?.tools.includes('remember'))
        assert.match(JSON.stringify(secondRequest?.last), forms[persona.kind])
        assert.equal(
          persona.facts('MemoryKept').map(({ text }) => text),
          ['lives in Lisbon'],
        )
        await assertUsage(persona)
      }),
    )
  }))

/**
 * Checks the recorded usage. Ollama reports no cached tokens, and its stand-in counts ten tokens per message.
 */
const assertUsage = async (persona: HostedPersona): Promise<void> => {
  const answers = persona
    .facts('ModelAnswered')
    .map(({ step, calls, usage }) => ({ step, calls, ...usage, made: undefined }))
  const local = persona.kind === 'ollama'
  const step = (step: number, input: number, output: number, cached: number) => ({
    step,
    calls: 1,
    input: local ? answers[step - 1]?.input : input,
    output: local ? answers[step - 1]?.output : output,
    cached: local ? null : cached,
    made: undefined,
  })
  assert.equal(answers, [step(1, 100, 7, 40), step(2, 150, 5, 110)])
  const sum = (field: 'input' | 'output' | 'cached') =>
    answers.reduce((all, usage) => all + (usage[field] ?? 0), 0)
  assert.ok(sum('input') > 0 && sum('output') > 0)

  const { total, models } = (await persona.get('usage')).body
  assert.equal([total.calls, total.tries, total.failed], [2, 2, 0])
  assert.equal([total.input, total.output, total.cached], [sum('input'), sum('output'), sum('cached')])
  assert.equal(models.length, 1)

  const { turn } = persona.facts('TurnEnded')[0]
  const { outcome, steps, total: modelCost } = (await persona.get(`turns/${turn}`)).body
  assert.equal(
    [outcome, modelCost.calls, modelCost.input, modelCost.cached],
    ['answered', 2, sum('input'), sum('cached')],
  )
  assert.equal(
    // biome-ignore lint/suspicious/noExplicitAny: a body that is looked into
    steps.map(({ text, tools }: any) => [text, tools.map(({ name, input, ok }: any) => [name, input, ok])]),
    [
      ['Noted.', [['remember', rememberCall.input, true]]],
      [text, []],
    ],
  )
}

// Verified to fail if the restart of an answer is not published.
test('withdraws the text of a broken stream if the complete answer has none', () => {
  const answers: Answer[] = [{ text: 'One two three four five.' }, { calls: [rememberCall] }, { text }]
  return withProviderSetup({ answer: () => answers.shift() ?? {} }, async (setup) => {
    const [persona] = await setup.born(['gemini'])
    if (!persona) return assert.unreachable()
    persona.host.strike([{ what: 'cut', mode: 'cleanly', after: 3 }])
    assert.equal((await setup.passing(persona.say(first))).texts, [text])
    const drafts = new Map<number, string>()
    for (const { type, step, offset, delta } of persona.listener.frames)
      if (type === 'chat_delta') drafts.set(step, (drafts.get(step) ?? '').slice(0, offset) + delta)
    assert.equal(
      [...drafts],
      [
        [1, ''],
        [2, text],
      ],
    )
  })
})

/** Creates personas whose second step has begun to stream and then stalls. */
const stallAt = async (
  setup: ProviderSetup,
  stalledKinds: readonly Kind[],
): Promise<readonly HostedPersona[]> => {
  const personas = await setup.born(stalledKinds)
  await forEachHost(personas, async (persona) => {
    persona.host.strike(stall)
    await persona.tell(first)
    await waitFor('words of the second step', () =>
      persona.listener.frames.some(({ type, step }) => type === 'chat_delta' && step === 2),
    )
    assert.is(persona.host.open(), 1)
    persona.host.strike(null)
  })
  return personas
}

/** Acts on all personas concurrently. Each must close its connection to the provider within 5 s. */
const assertCloses = async (
  event: string,
  personas: readonly HostedPersona[],
  act: (persona: HostedPersona) => Promise<unknown>,
): Promise<void> => {
  const took: number[] = []
  await forEachHost(personas, async (persona) => {
    const startedAt = performance.now()
    const action = act(persona)
    await waitFor('the connection to close', () => persona.host.open() === 0)
    took.push(Math.round(performance.now() - startedAt))
    await action
  })
  const slowest = Math.max(...took)
  console.log(`\n· connections to providers closed after ${event} | ${slowest} ms`)
  assert.ok(slowest < 5000, `it took ${slowest} ms`)
}

/**
 * Checks that recorded steps are reused: the first step was requested once, the second until it was answered.
 */
const assertResumed = async (persona: HostedPersona): Promise<void> => {
  await waitFor('the answer', async () => (await persona.talk()).at(-1) === conversation.at(-1))
  assert.equal(await persona.talk(), conversation)
  const requests = persona.host.getRequests().filter(({ text }) => text.endsWith(first))
  assert.equal(
    requests.map(({ results }) => results.length),
    [0, 1, 1],
  )
  const { memory } = (await persona.get('knowledge')).body
  assert.equal(memory, { person: '- lives in Lisbon' })
}

test('stop closes a stalled connection, and the turn resumes after the next start', () =>
  inSetup(async (setup) => {
    const personas = await stallAt(setup, kinds)
    await assertCloses('stop', personas, (persona) => persona.post('stop'))
    await forEachHost(personas, async (persona) => {
      assert.equal((await persona.post('start')).body, { status: 'started' })
      await assertResumed(persona)
    })
  }))

test('restart closes a stalled connection, and the turn resumes', () =>
  inSetup(async (setup) => {
    const personas = await stallAt(setup, ['anthropic', 'gemini', 'ollama'])
    await assertCloses('restart', personas, (persona) => persona.post('restart'))
    await forEachHost(personas, assertResumed)
  }))

test('closing the daemon closes stalled connections, and the turns resume after a restart', () =>
  inSetup(async (setup) => {
    const personas = await stallAt(setup, ['openai', 'xai', 'compatible', 'ollama'])
    const restarting = setup.restart()
    await assertCloses('the end', personas, () => restarting)
    await forEachHost(personas, assertResumed)
  }))

test('hush closes a stalled connection, keeps the text so far and answers the next message', () =>
  inSetup(async (setup) => {
    const personas = await stallAt(setup, ['anthropic', 'openai', 'gemini'])
    await assertCloses('hush', personas, async (persona) =>
      assert.equal((await persona.post('hush')).body, { status: 'hushed' }),
    )
    await setup.passing(
      forEachHost(personas, async (persona) => {
        const [, , cut = ''] = await persona.talk()
        assert.ok(cut.length > 'assistant: '.length && `assistant: ${text}`.startsWith(cut), cut)
        assert.is((await persona.say('Go on')).outcome, 'answered')
        assert.equal(
          persona.facts('TurnEnded').map(({ outcome }) => outcome),
          ['hushed', 'answered'],
        )
      }),
    )
  }))

test('delete closes a stalled connection and leaves nothing', () =>
  inSetup(async (setup) => {
    const personas = await stallAt(setup, ['xai', 'compatible', 'ollama'])
    await assertCloses('delete', personas, async (persona) =>
      assert.equal(await persona.post('delete'), { status: 200, body: null }),
    )
    assert.equal(await readdir(join(setup.daemon.home, 'personas')), [])
    assert.equal((await setup.get('/api/personas')).body, { personas: [] })
  }))

test('another Mind resumes a turn of any provider and is called in its own form', () =>
  inSetup(async (setup) => {
    const [persona] = await setup.born(['anthropic'])
    if (!persona) return assert.unreachable()
    const ring = [...kinds.slice(1), 'anthropic'] as const
    let previousKind: Kind = 'anthropic'
    for (const [n, kind] of ring.entries()) {
      const sourceHost = setup.hosts[previousKind]
      const targetHost = setup.hosts[kind]
      sourceHost.strike(stall)
      const message = `Move no. ${n}`
      await persona.tell(message)
      await waitFor(
        'the second step',
        () =>
          sourceHost.getRequests().at(-1)?.results.length === 1 &&
          sourceHost.getRequests().at(-1)?.text.endsWith(message),
      )
      await waitFor('it to stall', () => sourceHost.open() === 1)
      sourceHost.strike(null)
      assert.equal(
        (await persona.post('update', { thinking: targetHost.thinkingFields })).body,
        { status: 'active', running: true },
        kind,
      )
      await waitFor('the connection to close', () => sourceHost.open() === 0)
      await waitFor(`an answer of ${kind}`, async () => (await persona.talk()).length === 3 * (n + 1))
      assert.equal(
        (await persona.talk()).slice(-3),
        [`person: ${message}`, 'assistant: Noted.', `assistant: ${text}`],
        kind,
      )
      assert.match(JSON.stringify(targetHost.getRequests().at(-1)?.last), forms[kind])
      previousKind = kind
    }
    assert.equal(
      persona.facts('ModelAnswered').map(({ provider, step }) => [provider, step]),
      ring.flatMap((kind, n) => [
        [toProvider(ring[n - 1] ?? 'anthropic'), 1],
        [toProvider(kind), 2],
      ]),
    )
    assert.is(persona.facts('ModelFailed').length, 0)
  }))

test('SIGTERM closes a stalled connection, and the turn resumes after a restart', async () => {
  const home = await tempHome()
  const host = await createHost('anthropic', twoSteps)
  const start = () =>
    startProcess({ home, env: { ANTHROPIC_BASE_URL: host.url, ANTHROPIC_API_KEY: getKey('anthropic') } })
  const { url, kill } = await start()
  try {
    const settings = { name: 'Ada', thinking_model: 'claude-sonnet-4-5', thinking_provider: 'anthropic' }
    const { body } = await call(url, 'POST', '/api/persona/create', settings)
    const persona = `/api/persona/${body.persona.id}`
    host.strike(stall)
    await call(url, 'POST', `${persona}/read?wait=0`, { message: first })
    await waitFor(
      'the second step',
      () => host.getRequests().at(-1)?.results.length === 1 && host.open() === 1,
    )
    host.strike(null)
    const startedAt = performance.now()
    const exit = kill('SIGTERM')
    await waitFor('the connection to close', () => host.open() === 0)
    const { code, stderr, stdout } = await exit
    assert.ok(performance.now() - startedAt < 10_000)
    assert.is(code, 0)
    assert.not.match(`${stderr}${stdout}`, new RegExp(getKey('anthropic')))
    const secondRun = await start()
    const talk = async () => (await call(secondRun.url, 'GET', `${persona}/conversation`)).body.messages
    await waitFor('the answer', async () => (await talk()).length === conversation.length)
    assert.equal(
      (await talk()).map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`),
      conversation,
    )
    assert.equal(
      host.getRequests().map(({ results }) => results.length),
      [0, 1, 1],
    )
    await secondRun.kill('SIGTERM')
  } finally {
    await kill('SIGKILL')
    await host.close()
    await rm(home, { recursive: true, force: true })
  }
})

const toProvider = (kind: Kind) => (kind === 'compatible' ? 'openai' : kind === 'ollama' ? null : kind)

test.run()
