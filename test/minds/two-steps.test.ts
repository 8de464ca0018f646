/**
 * A turn of two steps with every provider, through the whole daemon: a tool and then words, cut in the middle
 * in every way, and handed on from one provider to the next.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, until } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { startProcess } from '../process/daemon.ts'
import type { Fault } from '../stand-ins/faults.ts'
import type { Answer } from '../stand-ins/provider.ts'
import { type Asked, createHost, type Kind, keyOf, kinds } from './hosts.ts'
import { each, type Her, type ProviderHouse, secretWord, within } from './provider-house.ts'

/**
 * Seen failing with a signal that is not handed on to the provider, and with recorded steps that are
 * forgotten.
 */
const words = 'Then we know that now.'
const keeping = { name: 'remember', input: { op: 'keep', document: 'person', text: 'lives in Lisbon' } }

const twoSteps = ({ results }: Asked): Answer =>
  results.length === 0
    ? { text: 'Noted.', calls: [keeping], usage: { input: 100, output: 7, cached: 40 } }
    : { text: words, usage: { input: 150, output: 5, cached: 110 } }

const inHouse = (play: (house: ProviderHouse) => Promise<void>): Promise<void> =>
  within({ answer: twoSteps }, play)

const first = `I live in Lisbon, ${secretWord}.`
const said = [`person: ${first}`, 'assistant: Noted.', `assistant: ${words}`]
/** The second step of the next turn. */
const stall: readonly (Fault | null)[] = [null, { what: 'stall', after: 4 }]

/** How a result goes back, in each provider's own form. */
const forms: Readonly<Record<Kind, RegExp>> = {
  anthropic:
    /^\{"role":"user","content":\[\{"type":"tool_result","tool_use_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"/,
  openai: /^\{"role":"tool","tool_call_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  gemini:
    /^\{"role":"user","parts":\[\{"functionResponse":\{.*"name":"remember","response":\{"name":"remember","content":"\{\\"kept\\":\\"m\w+\\"\}"\}\}\}\]\}$/,
  xai: /^\{"role":"tool","tool_call_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  compatible: /^\{"role":"tool","tool_call_id":"(\w+)","content":"\{\\"kept\\":\\"m\w+\\"\}"\}$/,
  ollama: /^\{"role":"tool","content":"\{\\"kept\\":\\"m\w+\\"\}","tool_name":"remember"\}$/,
}

test('a tool is called and its result goes back as the provider takes it; each step is in the ledger and in the turn', () =>
  inHouse(async (house) => {
    const hers = await house.born()
    await house.passing(
      each(hers, async (her) => {
        const { outcome, words: spoken, begun } = await her.say(first)
        assert.equal([outcome, spoken, begun], ['answered', ['Noted.', words], 2])
        const [one, two] = her.host.asked().slice(-2)
        assert.equal([one?.results.length, two?.results.length], [0, 1])
        assert.ok(one?.tools.includes('remember'))
        assert.match(JSON.stringify(two?.last), forms[her.kind])
        assert.equal(
          her.facts('MemoryKept').map(({ text }) => text),
          ['lives in Lisbon'],
        )
        await isTold(her)
      }),
    )
  }))

/** Ollama tells of nothing that was kept, and counts ten tokens a message here. */
const isTold = async (her: Her): Promise<void> => {
  const told = her
    .facts('ModelAnswered')
    .map(({ step, calls, usage }) => ({ step, calls, ...usage, made: undefined }))
  const local = her.kind === 'ollama'
  const step = (step: number, input: number, output: number, cached: number) => ({
    ...{
      step,
      calls: 1,
      input: local ? told[step - 1]?.input : input,
      output: local ? told[step - 1]?.output : output,
    },
    ...{ cached: local ? null : cached, made: undefined },
  })
  assert.equal(told, [step(1, 100, 7, 40), step(2, 150, 5, 110)])
  const sum = (of: 'input' | 'output' | 'cached') => told.reduce((all, usage) => all + (usage[of] ?? 0), 0)
  assert.ok(sum('input') > 0 && sum('output') > 0)

  const { total, models } = (await her.get('usage')).body
  assert.equal([total.calls, total.tries, total.failed], [2, 2, 0])
  assert.equal([total.input, total.output, total.cached], [sum('input'), sum('output'), sum('cached')])
  assert.equal(models.length, 1)

  const { turn } = her.facts('TurnEnded')[0]
  const { outcome, steps, total: cost } = (await her.get(`turns/${turn}`)).body
  assert.equal([outcome, cost.calls, cost.input, cost.cached], ['answered', 2, sum('input'), sum('cached')])
  assert.equal(
    // biome-ignore lint/suspicious/noExplicitAny: a body that is looked into
    steps.map(({ text, tools }: any) => [text, tools.map(({ name, input, ok }: any) => [name, input, ok])]),
    [
      ['Noted.', [['remember', keeping.input, true]]],
      [words, []],
    ],
  )
}

// Seen failing with nothing told where an answer begins anew.
test('words of a stream that broke off are taken back where the whole answer has none', () => {
  const answers: Answer[] = [{ text: 'One two three four five.' }, { calls: [keeping] }, { text: words }]
  return within({ answer: () => answers.shift() ?? {} }, async (house) => {
    const [her] = await house.born(['gemini'])
    if (!her) return assert.unreachable()
    her.host.strike([{ what: 'cut', how: 'cleanly', after: 3 }])
    assert.equal((await house.passing(her.say(first))).words, [words])
    const drafts = new Map<number, string>()
    for (const { type, step, offset, delta } of her.listener.frames)
      if (type === 'chat_delta') drafts.set(step, (drafts.get(step) ?? '').slice(0, offset) + delta)
    assert.equal(
      [...drafts],
      [
        [1, ''],
        [2, words],
      ],
    )
  })
})

/** All are in their second step, which has begun to speak and stalls. */
const stalled = async (house: ProviderHouse, at: readonly Kind[]): Promise<readonly Her[]> => {
  const hers = await house.born(at)
  await each(hers, async (her) => {
    her.host.strike(stall)
    await her.tell(first)
    await until('words of the second step', () =>
      her.listener.frames.some(({ type, step }) => type === 'chat_delta' && step === 2),
    )
    assert.is(her.host.open(), 1)
    her.host.strike(null)
  })
  return hers
}

/** Done to all at once; each provider is let go of within a moment. */
const letsGo = async (
  what: string,
  hers: readonly Her[],
  act: (her: Her) => Promise<unknown>,
): Promise<void> => {
  const took: number[] = []
  await each(hers, async (her) => {
    const began = performance.now()
    const acted = act(her)
    await until('the connection to close', () => her.host.open() === 0)
    took.push(Math.round(performance.now() - began))
    await acted
  })
  const slowest = Math.max(...took)
  console.log(`\n· providers let go after ${what} | ${slowest} ms`)
  assert.ok(slowest < 5000, `it took ${slowest} ms`)
}

/**
 * What was recorded is used again: the first step was asked for once, and the second until it was answered.
 */
const isTakenUp = async (her: Her): Promise<void> => {
  await until('her answer', async () => (await her.talk()).at(-1) === said.at(-1))
  assert.equal(await her.talk(), said)
  const asked = her.host.asked().filter(({ text }) => text.endsWith(first))
  assert.equal(
    asked.map(({ results }) => results.length),
    [0, 1, 1],
  )
  const { memory } = (await her.get('knowledge')).body
  assert.equal(memory, { person: '- lives in Lisbon' })
}

test('stop lets go of a provider that stalls, and the turn goes on where it was once it runs again', () =>
  inHouse(async (house) => {
    const hers = await stalled(house, kinds)
    await letsGo('stop', hers, (her) => her.post('stop'))
    await each(hers, async (her) => {
      assert.equal((await her.post('start')).body, { status: 'started' })
      await isTakenUp(her)
    })
  }))

test('restart lets go of a provider that stalls, and the turn goes on where it was', () =>
  inHouse(async (house) => {
    const hers = await stalled(house, ['anthropic', 'gemini', 'ollama'])
    await letsGo('restart', hers, (her) => her.post('restart'))
    await each(hers, isTakenUp)
  }))

test('the end of the daemon lets go of every provider that stalls, and the turns go on where they were when it runs again', () =>
  inHouse(async (house) => {
    const hers = await stalled(house, ['openai', 'xai', 'compatible', 'ollama'])
    const ended = house.restart()
    await letsGo('the end', hers, () => ended)
    await each(hers, isTakenUp)
  }))

test('hush lets go of a provider that stalls; what it had said stays, and what it is told next is answered', () =>
  inHouse(async (house) => {
    const hers = await stalled(house, ['anthropic', 'openai', 'gemini'])
    await letsGo('hush', hers, async (her) =>
      assert.equal((await her.post('hush')).body, { status: 'hushed' }),
    )
    await house.passing(
      each(hers, async (her) => {
        const [, , cut = ''] = await her.talk()
        assert.ok(cut.length > 'assistant: '.length && `assistant: ${words}`.startsWith(cut), cut)
        assert.is((await her.say('Go on')).outcome, 'answered')
        assert.equal(
          her.facts('TurnEnded').map(({ outcome }) => outcome),
          ['hushed', 'answered'],
        )
      }),
    )
  }))

test('delete lets go of a provider that stalls, and leaves nothing', () =>
  inHouse(async (house) => {
    const hers = await stalled(house, ['xai', 'compatible', 'ollama'])
    await letsGo('delete', hers, async (her) =>
      assert.equal(await her.post('delete'), { status: 200, body: null }),
    )
    assert.equal(await readdir(join(house.daemon.home, 'personas')), [])
    assert.equal((await house.get('/api/personas')).body, { personas: [] })
  }))

test('another Mind takes up a turn in the middle, whoever began it, and is asked in its own form', () =>
  inHouse(async (house) => {
    const [her] = await house.born(['anthropic'])
    if (!her) return assert.unreachable()
    const ring = [...kinds.slice(1), 'anthropic'] as const
    let before: Kind = 'anthropic'
    for (const [n, kind] of ring.entries()) {
      const [from, to] = [house.hosts[before], house.hosts[kind]]
      from.strike(stall)
      const message = `Move no. ${n}`
      await her.tell(message)
      await until(
        'the second step',
        () => from.asked().at(-1)?.results.length === 1 && from.asked().at(-1)?.text.endsWith(message),
      )
      await until('it to stall', () => from.open() === 1)
      from.strike(null)
      assert.equal(
        (await her.post('update', { thinking: to.thinking })).body,
        { status: 'active', running: true },
        kind,
      )
      await until('the connection to close', () => from.open() === 0)
      await until(`an answer of ${kind}`, async () => (await her.talk()).length === 3 * (n + 1))
      assert.equal(
        (await her.talk()).slice(-3),
        [`person: ${message}`, 'assistant: Noted.', `assistant: ${words}`],
        kind,
      )
      assert.match(JSON.stringify(to.asked().at(-1)?.last), forms[kind])
      before = kind
    }
    assert.equal(
      her.facts('ModelAnswered').map(({ provider, step }) => [provider, step]),
      ring.flatMap((kind, n) => [
        [providerOf(ring[n - 1] ?? 'anthropic'), 1],
        [providerOf(kind), 2],
      ]),
    )
    assert.is(her.facts('ModelFailed').length, 0)
  }))

test('SIGTERM lets go of a provider that stalls, and the turn goes on where it was when the daemon runs again', async () => {
  const home = await tempHome()
  const host = await createHost('anthropic', twoSteps)
  const start = () =>
    startProcess({ home, env: { ANTHROPIC_BASE_URL: host.url, ANTHROPIC_API_KEY: keyOf('anthropic') } })
  const { url, kill } = await start()
  try {
    const asked = { name: 'Ada', thinking_model: 'claude-sonnet-4-5', thinking_provider: 'anthropic' }
    const { body } = await call(url, 'POST', '/api/persona/create', asked)
    const her = `/api/persona/${body.persona.id}`
    host.strike(stall)
    await call(url, 'POST', `${her}/read?wait=0`, { message: first })
    await until('the second step', () => host.asked().at(-1)?.results.length === 1 && host.open() === 1)
    host.strike(null)
    const began = performance.now()
    const ended = kill('SIGTERM')
    await until('the connection to close', () => host.open() === 0)
    const { code, stderr, stdout } = await ended
    assert.ok(performance.now() - began < 10_000)
    assert.is(code, 0)
    assert.not.match(`${stderr}${stdout}`, new RegExp(keyOf('anthropic')))
    const again = await start()
    const talk = async () => (await call(again.url, 'GET', `${her}/conversation`)).body.messages
    await until('her answer', async () => (await talk()).length === said.length)
    assert.equal(
      (await talk()).map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`),
      said,
    )
    assert.equal(
      host.asked().map(({ results }) => results.length),
      [0, 1, 1],
    )
    await again.kill('SIGTERM')
  } finally {
    await kill('SIGKILL')
    await host.close()
    await rm(home, { recursive: true, force: true })
  }
})

const providerOf = (kind: Kind) => (kind === 'compatible' ? 'openai' : kind === 'ollama' ? null : kind)

test.run()
