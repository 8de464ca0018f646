/**
 * The journals of a home that went through much, read afterwards by nobody but the test and compared with
 * what clients were told.
 */
import * as assert from 'uvu/assert'
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { openCatalog } from '../../journal/leveldb/catalog.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import type { Entry as Fact, Verdict } from '../../journal/log/journal.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { contentOf } from '../../projections/message-parts.ts'
import { endedTwice } from '../../src/agents/end-turn.ts'
import type { Ledger } from './ledger.ts'

export interface Story {
  readonly facts: readonly Fact[]
  readonly verdict: Verdict
}

/** Every journal of a home that was closed in order. */
export const readHome = async (home: string): Promise<ReadonlyMap<PersonaId, Story>> => {
  const catalog = await openCatalog(home)
  assert.ok(catalog.complete, 'it was closed in order, so the catalog is complete')
  const journals = openJournals({
    stores: await openLevelStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const stories = new Map<PersonaId, Story>()
  for (const id of await journals.ids()) {
    const journal = await journals.open(id, 'reader')
    const facts: Fact[] = []
    for await (const fact of journal.read({})) facts.push(fact)
    stories.set(id, { facts, verdict: await journal.verify() })
    await journal.close()
  }
  await catalog.close()
  return stories
}

export const storyOf = (stories: ReadonlyMap<PersonaId, Story>, id: PersonaId): readonly Fact[] => {
  const story = stories.get(id)
  assert.ok(story, `${id} has no journal`)
  return story?.facts ?? []
}

/**
 * Each message was heard once, in the order of its client, and consumed by one turn; `echoed`: and named once
 * in its words, or not at all where the turn that took it was given up, which was told instead.
 */
export const compareTalk = (
  ledger: Ledger,
  facts: readonly Fact[],
  clients: readonly string[],
  echoed: boolean,
): void => {
  const heard: { seq: Seq; content: string }[] = []
  const turns = new Map<Seq, { after: number; upTo: number }>()
  /** How often a position was within a turn that consumed what it took. */
  const consumed = new Map<Seq, number>()
  const named = new Map<string, number>()
  const givenUp = new Set<Seq>()
  for (const { seq, event } of facts) {
    if (event.type === 'MessageHeard') heard.push({ seq, content: contentOf(event) })
    if (event.type === 'MessageSpoken')
      for (const [words] of event.content.matchAll(/(?<= )\w+-\d+\.(?= )/g)) count(named, words)
    if (event.type === 'TurnBegan') turns.set(seq, event.stimuli)
    const ended = event.type === 'TurnEnded' && event.outcome !== 'unreachable' && turns.get(event.turn)
    if (!ended) continue
    for (let at = ended.after + 1; at <= ended.upTo; at++) {
      count(consumed, at)
      if (event.reason === endedTwice) givenUp.add(at)
    }
  }
  const times = new Map<string, number>()
  for (const { content } of heard) count(times, content)
  for (const client of clients) {
    for (const { value, outcome } of ledger.of(client)) {
      const found = times.get(value) ?? 0
      assert.ok(found <= 1, `${value} was heard twice`)
      if (outcome === 'acknowledged') assert.is(found, 1, `acknowledged ${value} is not in her journal`)
    }
    const order = heard.flatMap(({ content }) =>
      content.startsWith(`${client}-`) ? [Number(content.slice(client.length + 1, -1))] : [],
    )
    const sorted = [...order].sort((one, other) => one - other)
    assert.equal(order, sorted, `${client} was heard out of order`)
  }
  for (const { seq, content } of heard) {
    const taken = consumed.get(seq) ?? 0
    assert.is(taken, 1, taken > 1 ? `${content} was consumed twice` : `${content} was never answered`)
    const told = named.get(content) ?? 0
    if (echoed && content.includes('-'))
      assert.is(told, givenUp.has(seq) ? 0 : 1, `${content} was answered ${told} times`)
  }
}

const count = <T>(counts: Map<T, number>, one: T): void => {
  counts.set(one, (counts.get(one) ?? 0) + 1)
}

export const compareChanges = (ledger: Ledger, ada: readonly Fact[], dot: readonly Fact[]): void => {
  const names = ada.flatMap(({ event }) => (event.type === 'Renamed' ? [event.name] : []))
  const timeouts = ada.flatMap(({ event }) =>
    event.type === 'IdleTimeoutSet' ? [String(event.seconds)] : [],
  )
  const statuses = dot.flatMap(({ event }) => (event.type === 'StatusSet' ? [event.status] : []))
  for (const [client, found] of [
    ['name', names],
    ['idle_timeout', timeouts],
  ] as const) {
    const open = new Set(
      ledger.of(client).flatMap(({ outcome, value }) => (outcome === 'open' ? [value] : [])),
    )
    assert.is(new Set(found).size, found.length, `a ${client} was set twice`)
    // In the order they were acknowledged, with nothing between but what was cut off.
    const sure = found.filter((value) => !open.has(value))
    assert.equal(sure, ledger.acknowledged(client), `acknowledged ${client} is not in her journal`)
  }
  assert.ok(isWithin(ledger.acknowledged('status'), statuses), 'an acknowledged status is not in her journal')
}

/** A start of one who runs already is acknowledged and leaves nothing. */
export const compareSwitches = (ledger: Ledger, cal: readonly Fact[]): void => {
  const asked = cal.flatMap(({ event }) => (event.type === 'StopAsked' ? ['stop'] : []))
  const stops = ledger.acknowledged('switch').filter((value) => value === 'stop')
  assert.ok(isWithin(stops, asked), 'an acknowledged stop is not in her journal')
}

/** All of the wanted ones, in their order. */
const isWithin = (wanted: readonly string[], found: readonly string[]): boolean => {
  let next = 0
  for (const value of found) if (value === wanted[next]) next++
  return next === wanted.length
}

export const comparePersonas = (ledger: Ledger, stories: ReadonlyMap<PersonaId, Story>): void => {
  const times = new Map<string, number>()
  for (const [id, { facts }] of stories) {
    assert.is.not(facts.at(-1)?.event.type, 'PersonaDeleted', `the deletion of ${id} was never finished`)
    for (const { event } of facts.slice(0, 1)) if (event.type === 'PersonaCreated') count(times, event.name)
  }
  const deleted = new Map(ledger.of('delete').map(({ value, outcome }) => [value, outcome]))
  for (const { value, outcome } of ledger.of('create')) {
    const found = times.get(value) ?? 0
    assert.ok(found <= 1, `${value} has ${found} journals`)
    if (outcome === 'acknowledged' && !deleted.has(value))
      assert.is(found, 1, `acknowledged ${value} has no journal`)
    if (deleted.get(value) === 'acknowledged') assert.is(found, 0, `${value} should be gone`)
  }
}
