/** Outages of the model: notices to users, the pace of probes, sickness and recovery. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { MindError } from '../../packages/models/mind.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { calls, createWordParts, filterFacts, gate, has, openStage, type Stage } from './stage.ts'

const minute = 60_000
const getReplies = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken').map(({ content }) => content)
const statuses = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'StatusSet').map(({ status, reason }) => [status, reason])

interface Outage {
  /** True if the model answers. */
  isThere: boolean
  readonly stage: Stage & { readonly home: string }
  /** Number of model calls. */
  requestCount: number
}

const withOutage = async (
  kind: 'unreachable' | 'barred',
  play: (outage: Outage) => Promise<void>,
  options: { readonly retryAfter?: number } = {},
) => {
  const state = { isThere: false, requestCount: 0 }
  const stage: Outage['stage'] = await openStage({
    // The clock waits for pending writes of a beat, however slow the disk is.
    clock: createFakeClock(undefined, undefined, () => stage.quiet()),
    script: (prompt) => {
      state.requestCount++
      if (!state.isThere) throw new MindError(kind, 'No answer from http://x.', options)
      return createWordParts(`To ${prompt.messages.at(-1)?.content}`)
    },
  })
  stage.mindAnswers = false
  try {
    await play(Object.assign(state, { stage }))
  } finally {
    await stage.close()
  }
}

const waitForFact = async (
  { stage }: Outage,
  description: string,
  test: (facts: readonly PersonaEvent[]) => boolean,
) => {
  for (let tries = 0; tries < 3000; tries++) {
    const facts = await stage.facts()
    if (test(facts)) return facts
    await stage.clock.advance(1000)
  }
  throw new Error(`${description} did not happen`)
}

/** Counts the probes of the model. */
const countProbes = (outage: Outage) => {
  const probes = { count: 0 }
  Object.defineProperty(outage.stage, 'mindAnswers', {
    get: () => {
      probes.count++
      return outage.isThere
    },
  })
  return probes
}
const minutes = async ({ stage }: Outage, count: number) => {
  for (let minutesPassed = 0; minutesPassed < count; minutesPassed++) {
    await stage.clock.advance(minute)
    await stage.facts()
  }
}

// Fails without the sickness, with probes at a constant pace, and if old messages are given up.
test('during a long outage makes three calls, probes less and less often, falls sick, and answers everything after the recovery', () =>
  withOutage('unreachable', async (outage) => {
    const { stage } = outage
    const probes = countProbes(outage)
    await stage.hear('one')
    await waitForFact(outage, 'the failed turn', has('OrganFailed'))
    assert.is(outage.requestCount, 3)
    assert.is(getReplies(await stage.facts()).length, 1)
    await stage.hear('two')
    await minutes(outage, 10)
    assert.ok(
      probes.count >= 60 && probes.count <= 125,
      `${probes.count} probes in ten minutes while a message waits`,
    )
    const factsDuring = await stage.until('the sick status', has('StatusSet'))
    assert.equal(statuses(factsDuring), [['sick', 'No answer from http://x.']])
    assert.ok(stage.agents.isRunning('ada'), 'the agent still receives messages')
    await minutes(outage, 30)
    probes.count = 0
    await minutes(outage, 60)
    assert.ok(probes.count >= 11 && probes.count <= 14, `${probes.count} probes in an hour without a message`)
    assert.is(outage.requestCount, 3)
    // A user who writes after a while gets another notice, and the model is probed immediately.
    probes.count = 0
    await stage.hear('three')
    await stage.until('that', (facts) => getReplies(facts).length === 2)
    assert.is(probes.count, 1)

    outage.isThere = true
    await stage.clock.advance(6000)
    const factsAfter = await stage.until('the answer', has('TurnEnded', 2))
    assert.match(getReplies(factsAfter).at(-1) ?? '', /^To \(.*, 1 hour later\)\nthree$/)
    assert.equal(
      filterFacts(factsAfter, 'TurnBegan').at(-1)?.stimuli.upTo,
      factsAfter.findLastIndex(({ type }) => type === 'MessageHeard') + 1,
    )
    assert.equal(
      statuses(factsAfter).map(([status]) => status),
      ['sick', 'active'],
    )
    assert.is(filterFacts(factsAfter, 'TurnEnded').at(-1)?.outcome, 'answered')
    probes.count = 0
    await minutes(outage, 30)
    assert.is(probes.count, 0, 'a Mind that is well is not asked')
  }))

// Fails if retries wait for the full `retryAfter`, and if each message causes a notice.
test('notifies the user of a retryAfter of an hour, and probes again when a message arrives', () =>
  withOutage(
    'unreachable',
    async (outage) => {
      const { stage } = outage
      const probes = countProbes(outage)
      await stage.hear('one')
      await stage.until('the notice', (facts) => getReplies(facts).length === 1)
      assert.is(outage.requestCount, 1)
      for (let minutesPassed = 0; minutesPassed < 5; minutesPassed++) await stage.clock.advance(10_000)
      assert.is(probes.count, 0, 'a provider that asks for time is given it')
      await minutes(outage, 1)
      assert.ok(probes.count > 0, 'and not permanently')
      probes.count = 0
      await stage.hear('two')
      await stage.hear('three')
      await stage.clock.advance(5000)
      await stage.until('a look', () => probes.count > 0)
      assert.is(getReplies(await stage.facts()).length, 1)
      outage.isThere = true
      await stage.clock.advance(6000)
      const factsAfter = await stage.until('the answer', (facts) => getReplies(facts).length === 2)
      assert.equal(getReplies(factsAfter).at(-1), 'To three')
    },
    { retryAfter: 3_600_000 },
  ))

test('probes again on request, and answers waiting messages', () =>
  withOutage(
    'unreachable',
    async (outage) => {
      const { stage } = outage
      countProbes(outage)
      await stage.hear('one')
      await stage.until('the notice', (facts) => getReplies(facts).length === 1)
      outage.isThere = true
      stage.agents.tryMind('ada')
      await stage.clock.advance(6000)
      const facts = await stage.until('the answer', (all) => getReplies(all).length === 2)
      assert.equal(getReplies(facts).at(-1), 'To one')
      stage.agents.tryMind('ada')
      stage.agents.tryMind('nobody')
    },
    { retryAfter: 3_600_000 },
  ))

// Fails if a turn restarts from the beginning: each try then stores the same memory again.
test('resumes a turn after an outage without repeating its actions', async () => {
  let fails = true
  const stage = await openStage({
    script: (prompt) => {
      if (prompt.messages.at(-1)?.role !== 'tool')
        return calls('remember', { op: 'keep', document: 'person', text: 'lives in Lisbon' })
      if (fails) throw new MindError('unreachable', 'No answer from http://x.')
      return createWordParts('Noted.')
    },
  })
  try {
    stage.mindAnswers = false
    await stage.hear('I live in Lisbon')
    await stage.waitForFacts('the failure', has('OrganFailed'))
    assert.is(getReplies(await stage.facts()).length, 1)
    await stage.clock.advance(4 * minute)
    assert.equal(statuses(await stage.until('sickness', has('StatusSet'))), [
      ['sick', 'No answer from http://x.'],
    ])
    fails = false
    stage.mindAnswers = true
    const facts = await stage.waitForFacts('an answer', has('TurnEnded'))
    assert.equal(
      [
        filterFacts(facts, 'TurnBegan').length,
        filterFacts(facts, 'MemoryKept').length,
        filterFacts(facts, 'ToolAnswered').length,
      ],
      [1, 1, 1],
    )
    assert.equal(getReplies(facts).slice(1), ['Noted.'])
    assert.is(filterFacts(facts, 'TurnEnded')[0]?.outcome, 'answered')
  } finally {
    await stage.close()
  }
})

// Fails if failures count across turns of a channel: a message that failed once is then given up.
test('counts tries per message, not across earlier failures of the channel', async () => {
  const fails: Record<string, number> = { one: 3, two: 1 }
  const stage = await openStage({
    script: (prompt) => {
      if (prompt.messages.at(-1)?.role !== 'tool') return calls('check_calendar', {})
      const userText = prompt.messages.findLast(({ role }) => role === 'user')?.content ?? ''
      if ((fails[userText] ?? 0) > 0) {
        fails[userText] = (fails[userText] ?? 0) - 1
        throw new MindError('barred', 'The key is wrong.')
      }
      return createWordParts(`To ${userText}`)
    },
  })
  try {
    await stage.hear('one')
    await stage.waitForFacts('the first failure', has('OrganFailed'))
    await stage.hear('two')
    const facts = await stage.waitForFacts('both answers', has('TurnEnded', 2))
    assert.equal(
      filterFacts(facts, 'TurnEnded').map(({ outcome }) => outcome),
      ['answered', 'answered'],
    )
    assert.equal(
      getReplies(facts).filter((text) => text.startsWith('To')),
      ['To one', 'To two'],
    )
  } finally {
    await stage.close()
  }
})

// Fails without the silence watch: no notice is sent until the answer arrives.
test('sends one notice after 60 s of silence, and the answer when it arrives', async () => {
  const modelCalled = gate()
  const mayAnswer = gate()
  const seconds = createFakeClock()
  const stage = await openStage({
    stopwatch: seconds,
    script: async function* () {
      yield { type: 'words', text: 'Well, ' }
      modelCalled.open()
      await mayAnswer.whenOpened
      yield* createWordParts('here I am.')
    },
  })
  try {
    await stage.hear('are you there?')
    await modelCalled.whenOpened
    await seconds.advance(58_000)
    assert.equal(getReplies(await stage.facts()), [])
    await seconds.advance(4000)
    const silent = await stage.until('the notice', (facts) => getReplies(facts).length === 1)
    assert.equal(
      filterFacts(silent, 'MessageSpoken').map(({ content, notice }) => [content, notice]),
      [
        [
          'The model has not answered for 60 s. Your message is kept; the answer follows when the model is back.',
          true,
        ],
      ],
    )
    await seconds.advance(60_000)
    mayAnswer.open()
    const facts = await stage.until('an answer', has('TurnEnded'))
    assert.equal(getReplies(facts).slice(1), ['Well, here I am.'])
    assert.equal([filterFacts(facts, 'OrganFailed').length, filterFacts(facts, 'StatusSet').length], [0, 0])
  } finally {
    await stage.close()
  }
})

test('probes immediately after a start if messages are waiting', () =>
  withOutage('unreachable', async (outage) => {
    await outage.stage.hear('one')
    await waitForFact(outage, 'the failed turn', has('TurnEnded'))
    const home = await outage.stage.crashed()
    const requests: string[] = []
    const restartedStage = await openStage({
      home,
      script: (prompt) => {
        requests.push(prompt.messages.at(-1)?.content ?? '')
        return createWordParts('Back.')
      },
    })
    try {
      const facts = await restartedStage.until('an answer', has('TurnEnded', 2))
      assert.equal(requests, ['one'])
      assert.equal(getReplies(facts).at(-1), 'Back.')
      // The model's answer ended the sickness, not the start.
      assert.ok(
        facts.findIndex(({ type }) => type === 'OrganRecovered') >
          facts.findLastIndex(({ type }) => type === 'Woke'),
      )
    } finally {
      await restartedStage.close()
      await rm(home, { recursive: true, force: true })
    }
  }))

test('falls sick immediately on a wrong key or an unknown model', () =>
  withOutage('barred', async (outage) => {
    await outage.stage.hear('one')
    const facts = await outage.stage.until('her to be sick', has('StatusSet'))
    assert.equal(statuses(facts), [['sick', 'No answer from http://x.']])
    assert.is(outage.requestCount, 1)
  }))

test('stays sick after the recovery of the model if the user set that status', () =>
  withOutage('unreachable', async (outage) => {
    const { stage } = outage
    await stage.hear('one')
    await waitForFact(outage, 'the failed turn', has('OrganFailed'))
    await stage.execute({ type: 'UpdatePersona', status: 'sick', organs: {}, clear: [] })
    await stage.until('her to rest', has('Stopped'))
    outage.isThere = true
    await stage.clock.advance(10 * minute)
    assert.equal(statuses(await stage.facts()), [['sick', null]])
  }))

test('after a start during an outage falls sick, and becomes active after the recovery', async () => {
  const home = await tempHome()
  const models = standIn()
  const clock = createFakeClock()
  const list = async (url: string) => (await call(url, 'GET', '/api/personas')).body.personas[0]
  const first = await startDaemon({ home, models, clock })
  assert.is(
    (await call(first.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama' })).status,
    200,
  )
  await first.close()

  models.brokenMethods.probe = 'No answer from http://x.'
  const daemon = await startDaemon({ home, models, clock })
  try {
    const passing = (description: string, look: () => Promise<boolean>) =>
      waitFor(description, async () => {
        await clock.advance(5000)
        return look()
      })
    await clock.advance(2 * minute)
    assert.is((await list(daemon.url)).status, 'active')
    await passing('her to be sick', async () => (await list(daemon.url)).status === 'sick')
    assert.is((await list(daemon.url)).running, false)
    delete models.brokenMethods.probe
    await passing('her to be well', async () => (await list(daemon.url)).running)
    assert.is((await list(daemon.url)).status, 'active')
  } finally {
    await daemon.close()
    await rm(home, { recursive: true })
  }
})

test.run()
