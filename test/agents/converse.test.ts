/** API chats during disk failures and at the end of a life. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Journal } from '../../facts/persona-journal.ts'
import type { Log } from '../../packages/kit/log.ts'
import { MindError, type Part } from '../../packages/models/mind.ts'
import { ModelError } from '../../packages/models/models.ts'
import { evolve } from '../../projections/persona.ts'
import { type ConverseDeps, converse, createApiChats, type Exchange } from '../../src/agents/api-chat.ts'
import { createOpenSteps } from '../../src/agents/open-steps.ts'
import { createSpokenStream } from '../../src/agents/spoken-stream.ts'
import type { Organs } from '../../src/mind/organ-calls.ts'
import { budgetIn } from '../../src/mind/prompt/prompt-part.ts'
import { JournalUnavailable, Refused } from '../../src/persona/refusals.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import type { RecordExchange } from '../../src/persona/rules/talk.ts'
import { createFakeClock } from '../clock.ts'
import { calls, createWordParts, gate, hangs } from './stage.ts'

const born = {
  type: 'PersonaCreated',
  id: 'ada',
  name: 'Ada',
  birthday: '2026-11-23',
  idleTimeout: 3600,
  recipient: 'age1',
} as const
const persona = evolve(undefined, { seq: 1, at: 0, event: born })
const organ = { model: 'test', provider: null, url: null, key: null }

interface Scene {
  readonly script?: (call: number) => Iterable<Part> | AsyncIterable<Part>
  readonly execute?: (command: Command) => Promise<unknown>
  readonly store?: boolean
  readonly content?: string
}

const stand = ({
  script = () => createWordParts('Well', ' enough.'),
  execute = async () => undefined,
  store = false,
  content = 'How are you?',
}: Scene) => {
  const exchanges: RecordExchange[] = []
  const lines: string[] = []
  const warn: Log['warn'] = (_, sentence) => void lines.push(sentence)
  let thoughts = 0
  const mind = {
    async *think() {
      yield* script(++thoughts)
    },
  }
  const organs = {
    has: () => false,
    takes: async () => ({ images: false, documents: false }),
    budget: async () => budgetIn(null),
    mind: async () => ({ organ, mind }),
    getPrice: async () => null,
  } as Partial<Organs> as Organs
  const deps: ConverseDeps = {
    getOutsideTools: async () => [],
    id: 'ada',
    life: 1,
    organs: () => organs,
    getTokenLimit: async () => null,
    spare: async () => true,
    search: async () => ({
      hits: [],
      hasMore: false,
      whole: { own: 0, theirs: 0, first: undefined, last: undefined },
    }),
    signal: new AbortController().signal,
    openSteps: createOpenSteps(createFakeClock()),
    clock: createFakeClock(),
    random: () => 0,
    newId: () => 'x',
    log: { debug: warn, info: warn, error: warn, warn },
    ...({ files: {}, documents: {} } as Pick<ConverseDeps, 'files' | 'documents'>),
    vitals: async () => ({ head: { seq: 1, hash: '' }, bytes: 0, verified: null, keyless: [] }),
    writeDiary: async () => undefined,
    signHead: async () => undefined,
    tidy: async () => undefined,
    read: (look) => look({ persona, journal: { head: { seq: 1, hash: '' } } as Journal }),
    execute: async (command) => {
      if (command.type === 'RecordExchange') exchanges.push(command)
      return execute(command)
    },
  }
  const exchange: Exchange = {
    talk: [{ role: 'user', content, pictures: [], files: [] }],
    store,
    disconnectSignal: deps.signal,
    onWords: () => {},
  }
  return { deps, exchange, written: exchanges, logged: lines }
}

const play = (options: Scene) => {
  const { deps, exchange, ...results } = stand(options)
  return { ...results, answer: converse(exchange, deps) }
}

const catchThrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const refuseLifeOver = async () => {
  throw new Refused({ code: 'life_over' })
}
const diskFull = async () => {
  throw new JournalUnavailable('the disk refused the write')
}

test('returns the answer after the life has ended, but rejects if it should be remembered', async () => {
  const { answer, logged } = play({ execute: refuseLifeOver })
  assert.is((await answer).text, 'Well enough.')
  assert.equal(logged, [], 'there is no ledger any more')
  assert.instance(await catchThrown(play({ execute: refuseLifeOver, store: true }).answer), Refused)
})

test('returns the answer and logs a warning if recording its cost fails', async () => {
  const { answer, logged } = play({ execute: diskFull })
  assert.is((await answer).text, 'Well enough.')
  assert.is(logged.length, 1)
  assert.instance(await catchThrown(play({ execute: diskFull, store: true }).answer), JournalUnavailable)
})

test('stores a remembered exchange in one commit with its cost and without a recipe', async () => {
  const { answer, written } = play({ store: true })
  await answer
  const [commit] = written
  assert.is(written.length, 1)
  assert.equal(commit?.said, { heard: 'How are you?', spoken: 'Well enough.', notice: null })
  assert.equal(
    commit?.calls.map((call) => 'used' in call && call.used.recipe),
    [null],
  )
})

test('returns a long answer in full and truncates the remembered copy to fit into a commit', async () => {
  const { answer, written } = play({
    store: true,
    script: () => createWordParts('€'.repeat(200_000)),
    content: 'é'.repeat(131_072),
  })
  assert.is((await answer).text.length, 200_000)
  assert.ok(Buffer.byteLength(JSON.stringify(written[0]?.said)) < 512 * 1024)
})

test('returns a refusal that quotes the message to the client and records it without the quotation', async () => {
  const reasons: readonly (readonly [MindError['kind'], string, boolean])[] = [
    ['refused', 'This is not for me.', false],
    ['barred', 'It said: “my little secret” is no prompt.', false],
    ['barred', 'The key was not accepted.', true],
  ]
  for (const [kind, reason, isKept] of reasons) {
    const script = () => {
      throw new MindError(kind, reason)
    }
    const { answer, written } = play({ script, content: 'Here is my little secret.' })
    const error = await catchThrown(answer)
    assert.ok(error instanceof ModelError && error.message === reason)
    const [call] = written[0]?.calls ?? []
    assert.is(call && 'failed' in call && call.failed.reason === reason, isKept, reason)
  }
})

// Fails if the end of the life does not wait for them.
test('waits for the cost of running exchanges before the life ends', async () => {
  const disk = gate()
  const events: string[] = []
  const { deps, exchange } = stand({
    script: (call) => (call === 1 ? calls('check_health', {}) : hangs(new AbortController().signal)),
    execute: async () => {
      await disk.whenOpened
      events.push('written')
    },
  })
  const ending = new AbortController()
  const exchanges = createApiChats(deps, ending.signal)
  const pendingError = catchThrown(exchanges.converse(exchange))
  await new Promise(setImmediate)
  ending.abort()
  const exchangesEnd = exchanges.waitForEnd().then(() => events.push('ended'))
  await new Promise(setImmediate)
  disk.open()
  await exchangesEnd
  assert.equal(events, ['written', 'ended'])
  const error = await pendingError
  assert.ok(error instanceof Refused && error.refusal.code === 'life_over')
  assert.instance(await catchThrown(exchanges.converse(exchange)), Refused)
})

test('streams exactly the text of the answer for all kinds of deltas', () => {
  const collectText = (play: (teller: ReturnType<typeof createSpokenStream>) => void) => {
    let text = ''
    play(
      createSpokenStream((message) => {
        text += message
      }),
    )
    return text
  }
  const createWordScript = (...deltas: readonly string[]) => {
    let text = ''
    return deltas.map((delta) => {
      const offset = text.length
      text += delta
      return [delta, offset] as const
    })
  }
  const runSteps = (...steps: readonly (readonly (readonly [string, number])[])[]) =>
    collectText((teller) => {
      for (const step of steps) {
        teller.step()
        for (const [delta, offset] of step) teller.words(delta, offset)
      }
    })
  assert.is(
    runSteps(createWordScript('\n', ' Hello', ' ', '\n'), createWordScript('you', ' ', 'there ')),
    'Hello\n\nyou there',
  )
  assert.is(
    runSteps(createWordScript(' ', '\n'), createWordScript('Hello')),
    'Hello',
    'a step without a word is none',
  )
  assert.is(
    runSteps([...createWordScript('Good', ' mor'), ...createWordScript('Go', 'od', ' ', 'morning')]),
    'Good morning',
  )
  assert.is(
    runSteps([...createWordScript('Good', ' mor'), ...createWordScript('Go', 'od')]),
    'Good mor',
    'sent text cannot be retracted',
  )
  assert.is(
    runSteps([...createWordScript('Good', ' mor'), ...createWordScript('Good eve', 'ning')]),
    'Good mor\n\n[I was interrupted here and start again.]\n\nGood evening',
  )
  assert.is(
    runSteps([...createWordScript('Good'), ...createWordScript('Go'), ...createWordScript('Good', ' day')]),
    'Good day',
    'broken off twice',
  )
  assert.is(
    collectText((teller) => {
      teller.write('I cannot see it.')
      teller.step()
      teller.words('But', 0)
    }),
    'I cannot see it.\n\nBut',
  )
})

test.run()
