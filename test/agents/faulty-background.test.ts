/** Unexpected errors in background work: only that piece of work is lost, and no night. */
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createFeedings, type FeedingDeps, type History } from '../../src/agents/import-history.ts'
import { createFakeClock } from '../clock.ts'
import { createWordParts, filterFacts, openStage } from './stage.ts'

test('completes the night although each consolidation fails, and reports all faults', async () => {
  const failingSteps = new Set<string>()
  const stage = await openStage({
    script: () => createWordParts('Fine.'),
    inject: (step) => {
      if (failingSteps.has(step)) throw new TypeError(`no ${step}`)
    },
  })
  try {
    await stage.hear('hello')
    await stage.until('an answer', (facts) => filterFacts(facts, 'TurnEnded').length === 1)
    failingSteps.add('prices')
    stage.clock.leap(13.9 * 3_600_000)
    const facts = await stage.waitForFacts('a night', (all) => filterFacts(all, 'SleepEnded').length > 0)
    equal(
      filterFacts(facts, 'SleepEnded').map(({ outcome }) => outcome),
      ['slept'],
    )
    match(
      stage.agents.fault('ada') ?? '',
      /^Consolidating the talk failed .*\(TypeError\)\. No message is lost/,
    )
    failingSteps.add('budget')
    await stage.hear('are you there?')
    await stage.waitForFacts('a second answer', (all) => filterFacts(all, 'TurnEnded').length === 2)
    match(
      stage.agents.fault('ada') ?? '',
      /^Consolidating the talk failed .*\. Answering failed .*\(TypeError\)\. .*report the errors that/,
    )
  } finally {
    await stage.close()
  }
})

const conversations = ['one', 'two', 'three'].map((id) => ({
  id,
  title: id,
  updated: null,
  hash: id,
  messages: [],
}))

/** Imports the conversations. Those with a title in `faulty` fail. */
const feed = async (faultyParts: readonly string[]) => {
  const fedTitles: string[] = []
  const deps = {
    id: 'ada',
    life: 1,
    clock: createFakeClock(),
    bus: { sign() {} },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    histories: {
      open: async () => ({
        total: conversations.length,
        leftOut: 0,
        notes: [],
        keptSome: async () => {},
        close: async () => {},
        conversations: async function* () {
          yield* conversations
        },
      }),
    },
    read: async () => ({ has: () => false, add() {} }),
    execute: async ({ history }: { history: { title: string } }) => {
      if (faultyParts.includes(history.title)) throw new TypeError('cannot write this')
      fedTitles.push(history.title)
    },
  } as unknown as FeedingDeps
  const feedings = createFeedings(deps, new AbortController().signal)
  const history: History = {
    path: '',
    sha256: '',
    source: 'x',
    disconnectSignal: new AbortController().signal,
  }
  const count = await feedings.feed(history).catch((error: unknown) => error)
  return { fed: fedTitles, count }
}

test('skips a conversation on which the daemon fails and imports the others', async () => {
  const { fed: fedTitles, count } = await feed(['two'])
  equal(fedTitles, ['one', 'three'])
  is(count, 3)
})

test('rejects a history if the daemon fails on every conversation', async () => {
  const { fed: fedTitles, count } = await feed(['one', 'two', 'three'])
  equal(fedTitles, [])
  is((count as Error).name, 'TypeError')
})

test.run()
