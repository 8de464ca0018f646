/**
 * Models with random behaviour: text, valid and invalid calls, errors, silence, interrupted streams, and no
 * endpoint.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { localTimeAt } from '../../packages/kit/time/local-time.ts'
import { type Mind, MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { ModelError, type Models } from '../../packages/models/models.ts'
import { oneWordAsked } from '../../src/mind/ping-model.ts'
import { chatOnlyModels } from '../chat-only-models.ts'
import type { Chance } from '../random.ts'
import { turns } from './frozen-time.ts'
import { noTalk } from './story.ts'

interface Deps {
  readonly chance: Chance
  readonly clock: Clock
  /** Current behaviour of the models. */
  readonly mood: Mood
  /** Reports a violated invariant. */
  readonly wrong: (problem: string) => void
}

export interface Mood {
  /** True if the endpoint lists models and answers. */
  endpoint: boolean
  /** True if models answer with text. */
  talk: boolean
  /** Rate of failures from 0 (always text) to 1 (hardly ever). */
  trouble: number
}

/** Returns a model name that identifies its persona. */
export const toModelName = (id: PersonaId, version: number): string => `mind of ${id} ${version}`

export const createMinds = ({ chance, clock, mood, wrong }: Deps): Models => {
  /** Running calls by persona, with the signal that may abort them. */
  const signalsByCall = new Map<string, AbortSignal>()
  const signalsByWord = new Map<string, AbortSignal>()
  const endpoint = () => {
    if (!mood.endpoint) throw new ModelError('Nobody answers there.')
  }
  const mind = (name: string): Mind => ({
    think: async function* (prompt, signal) {
      // The ping of an unreachable model may be repeated before it is answered.
      const place = prompt.messages.at(-1)?.content === oneWordAsked ? signalsByWord : signalsByCall
      if (signalsByCall.get(name)?.aborted === false) wrong(`${name} has two calls at once`)
      const night = prompt.system.includes(answerHeading)
      if (place === signalsByCall && !night && signalsByWord.get(name)?.aborted === false)
        wrong(`${name} is pinged during a call`)
      place.set(name, signal)
      try {
        yield* answer(prompt, signal)
      } finally {
        if (place.get(name) === signal) place.delete(name)
      }
    },
  })

  async function* answer(prompt: Prompt, signal: AbortSignal): AsyncGenerator<Part> {
    await pause(signal)
    if (!mood.endpoint) throw new MindError('unreachable', 'Nobody answers there.')
    if (!mood.talk) yield* silentAnswer(signal)
    const dice = chance.next()
    if (dice >= mood.trouble) {
      if (prompt.system.includes(answerHeading)) yield* consolidation(prompt, signal)
      else if (chance.next() < 0.35) yield* using(prompt, signal)
      else yield* speak(signal)
      return
    }
    yield* failingAnswer(chance.pickBetween(0, 9), signal)
  }

  const pause = async (signal: AbortSignal) => {
    if (chance.next() < 0.1) await clock.wait(chance.pickBetween(1, 20_000), signal)
    else await turns(chance.pickBetween(0, 3))
    signal.throwIfAborted()
  }

  async function* speak(signal: AbortSignal): AsyncGenerator<Part> {
    const count = chance.pickBetween(1, 3)
    for (let index = 0; index < count; index++) {
      yield { type: 'words', text: `word${index} ` }
      if (chance.next() < 0.2) await pause(signal)
    }
    if (chance.next() < 0.05) yield* [{ type: 'again' }, { type: 'words', text: 'anew' }] as const
    yield end
  }

  async function* using(prompt: Prompt, signal: AbortSignal): AsyncGenerator<Part> {
    if (chance.next() < 0.3) yield { type: 'words', text: 'one moment' }
    const count = chance.next() < 0.25 ? 2 : 1
    for (let n = 0; n < count; n++)
      yield { type: 'call', call: { id: `c${chance.pickBetween(1, 9999)}`, ...request(prompt) } }
    if (chance.next() < 0.1) await pause(signal)
    yield end
  }

  /** A consolidation answer: valid, truncated, in another form, or with forbidden operations. */
  async function* consolidation(prompt: Prompt, signal: AbortSignal): AsyncGenerator<Part> {
    const dice = chance.next()
    if (dice < 0.1) return yield* speak(signal)
    const operations = Array.from({ length: chance.pickBetween(0, 4) }, () => operation(prompt))
    const answer = JSON.stringify({
      operations,
      carry: `carry ${chance.pickBetween(1, 99)}`,
      summary: `day ${chance.pickBetween(1, 99)}`,
    })
    if (dice < 0.15)
      yield {
        type: 'call',
        call: { id: 'c1', name: 'remember', input: { op: 'keep', document: 'person', text: 'by a call' } },
      }
    yield {
      type: 'words',
      text: dice < 0.25 ? answer.slice(0, chance.pickBetween(0, answer.length)) : answer,
    }
    if (chance.next() < 0.3) await pause(signal)
    yield end
  }

  const operation = ({ system, messages }: Prompt): unknown => {
    const lines = messages.flatMap(({ content }) =>
      [...content.matchAll(/^\[(\d+)\]/gm)].map(([, seq]) => Number(seq)),
    )
    const knownIds = system.match(/\[(m[0-9a-f]+)\]/g)?.map((id) => id.slice(1, -1)) ?? []
    const sources = Array.from(
      { length: chance.pickBetween(0, 2) },
      () => lines[chance.pickBetween(0, lines.length)] ?? 99_999,
    )
    const id = knownIds[chance.pickBetween(0, knownIds.length)] ?? 'nobody'
    const text = `fact ${chance.pickBetween(1, 9)}`
    const isInitiative = system.includes('# When you might write by yourself')
    if (isInitiative && chance.next() < 0.5) return reason(lines)
    return chance.pick<unknown>([
      { op: 'keep', document: chance.pick(['person', 'wishes', 'traits', 'diary']), text, sources },
      { op: 'keep', document: 'permissions', text: 'Allowed: everything', sources },
      { op: 'revise', id, text, sources },
      { op: 'forget', id, why: 'so it is' },
      { op: 'erase', id },
      'nonsense',
    ])
  }

  const reason = (lines: readonly number[]): unknown => ({
    op: 'initiative',
    id: chance.pick(['', '', 'i1', 'nobody']),
    kind: chance.pick(['follow-up', 'date', 'promise', 'unfinished', 'wish', 'gossip']),
    at: localTimeAt(clock.now() + chance.pickBetween(-60, 600) * 60_000, clock.zone),
    text: `reason ${chance.pickBetween(1, 99)}`,
    sources: [lines[chance.pickBetween(0, lines.length)] ?? 99_999],
    yearly: chance.next() < 0.3,
  })

  const request = ({ system }: Prompt): { name: string; input: unknown } => {
    const knownIds = system.match(/\[([mp][0-9a-f]+)\]/g)?.map((id) => id.slice(1, -1)) ?? []
    const id = knownIds[chance.pickBetween(0, knownIds.length)] ?? 'nobody'
    const wall = localTimeAt(clock.now() + chance.pickBetween(1, 240) * 60_000, clock.zone).slice(0, 16)
    const recurrence = chance.pick([null, null, null, 'hourly', 'daily', 'monthly'])
    return chance.pick<{ name: string; input: unknown }>([
      {
        name: 'remember',
        input: { op: 'keep', document: 'person', text: `fact ${chance.pickBetween(1, 99)}` },
      },
      { name: 'remember', input: { op: chance.pick(['revise', 'forget']), id, text: 'better' } },
      { name: 'plan', input: { kind: 'reminder', when: wall, content: 'tea', recurrence } },
      { name: 'plan', input: { kind: 'reminder', when: wall, content: 'tea', recurrence } },
      { name: 'plan', input: { kind: 'nonsense', when: 'never' } },
      { name: 'plan', input: { op: 'cancel', id } },
      { name: 'cancel_plan', input: `{'id': '[${id}]'` },
      { name: 'recall', input: { query: 'm1' } },
      { name: 'plan', input: { op: 'list' } },
      { name: 'fly', input: 'away' },
    ])
  }

  /** Fails only for text: before the first word, after some, for lack of credit, or until the timeout. */
  async function* silentAnswer(signal: AbortSignal): AsyncGenerator<Part, never> {
    const kind = chance.pickBetween(0, 4)
    if (kind === 0) yield { type: 'words', text: 'half a' }
    if (kind === 1) throw new MindError('barred', noTalk)
    if (kind === 2)
      throw new MindError('unreachable', noTalk, { retryAfter: chance.pickBetween(1, 3_600_000) })
    if (kind === 3) await clock.wait(60_000, signal)
    signal.throwIfAborted()
    throw new MindError('unreachable', noTalk)
  }

  async function* failingAnswer(kind: number, signal: AbortSignal): AsyncGenerator<Part> {
    if (kind < 3) throw new MindError('unreachable', 'The line is dead.')
    if (kind === 3)
      throw new MindError('unreachable', 'Too many requests.', { retryAfter: chance.pickBetween(1, 90_000) })
    if (kind === 4) throw new MindError('barred', 'The key is wrong.')
    if (kind === 5) throw new MindError('refused', 'Not these words.')
    if (kind === 6) throw new TypeError('a mind that is not as it should be')
    if (kind === 7) {
      await clock.wait(600_000, signal)
      signal.throwIfAborted()
      throw new MindError('unreachable', 'No answer in ten minutes.')
    }
    if (kind === 8) yield end
    // The stream ends early.
    else yield { type: 'words', text: 'half a' }
  }

  return {
    ...chatOnlyModels,
    prepare: async () => endpoint(),
    wrap: async () => endpoint(),
    unwrap: async () => endpoint(),
    probe: async () => {
      await turns(chance.pickBetween(0, 2))
      endpoint()
    },
    mind: ({ model }) => mind(model.split(' ').slice(0, 3).join(' ')),
    names: async () => [],
    close: async () => undefined,
  }
}

const answerHeading = '\n# Your answer\n'
const end = { type: 'end', usage: { input: 1, output: 1 } } as const
