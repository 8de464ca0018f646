/**
 * Reads the journals of a home after a test, without a daemon, and compares them with the acknowledged
 * requests of its clients.
 */
import * as assert from 'uvu/assert'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { type Entry as Fact, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import type { Verdict } from '../../journal/log/journal.ts'
import { getContent } from '../../projections/message-parts.ts'
import { endedTwice } from '../../src/agents/end-turn.ts'
import type { Ledger } from './ledger.ts'

export interface Story {
  readonly facts: readonly Fact[]
  readonly verdict: Verdict
}

/** Reads every journal of a home that was closed in order. */
export const readHome = async (home: string): Promise<ReadonlyMap<PersonaId, Story>> => {
  const catalog = await openCatalog(home)
  assert.ok(catalog.complete, 'the home was closed in order, so the catalog is complete')
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
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

export const getStory = (stories: ReadonlyMap<PersonaId, Story>, id: PersonaId): readonly Fact[] => {
  const story = stories.get(id)
  assert.ok(story, `${id} has no journal`)
  return story?.facts ?? []
}

/**
 * Each message was stored once, in the order of its client, and consumed by one turn. `echoed`: it also
 * occurs once in a reply, or never if the turn was given up, which a message says instead.
 */
export const compareTalk = (
  ledger: Ledger,
  facts: readonly Fact[],
  clients: readonly string[],
  echoed: boolean,
): void => {
  const receivedMessages: { seq: Seq; content: string }[] = []
  const turns = new Map<Seq, { after: number; upTo: number }>()
  /** How often a position was in the range of a turn that consumed it. */
  const consumedCounts = new Map<Seq, number>()
  const namedCounts = new Map<string, number>()
  const abandonedSeqs = new Set<Seq>()
  for (const { seq, event } of facts) {
    if (event.type === 'MessageHeard') receivedMessages.push({ seq, content: getContent(event) })
    if (event.type === 'MessageSpoken')
      for (const [words] of event.content.matchAll(/(?<= )\w+-\d+\.(?= )/g)) count(namedCounts, words)
    if (event.type === 'TurnBegan') turns.set(seq, event.stimuli)
    const endedTurn = event.type === 'TurnEnded' && event.outcome !== 'unreachable' && turns.get(event.turn)
    if (!endedTurn) continue
    for (let turnSeq = endedTurn.after + 1; turnSeq <= endedTurn.upTo; turnSeq++) {
      count(consumedCounts, turnSeq)
      if (event.reason === endedTwice) abandonedSeqs.add(turnSeq)
    }
  }
  const times = new Map<string, number>()
  for (const { content } of receivedMessages) count(times, content)
  for (const client of clients) {
    for (const { value, outcome } of ledger.listEntries(client)) {
      const receivedCount = times.get(value) ?? 0
      assert.ok(receivedCount <= 1, `${value} was received twice`)
      if (outcome === 'acknowledged')
        assert.is(receivedCount, 1, `acknowledged ${value} is not in the journal`)
    }
    const order = receivedMessages.flatMap(({ content }) =>
      content.startsWith(`${client}-`) ? [Number(content.slice(client.length + 1, -1))] : [],
    )
    const sortedSeqs = [...order].sort((a, b) => a - b)
    assert.equal(order, sortedSeqs, `the messages of ${client} are out of order`)
  }
  for (const { seq, content } of receivedMessages) {
    const consumedCount = consumedCounts.get(seq) ?? 0
    assert.is(
      consumedCount,
      1,
      consumedCount > 1 ? `${content} was consumed twice` : `${content} was never answered`,
    )
    const answerCount = namedCounts.get(content) ?? 0
    if (!echoed || !content.includes('-')) continue
    // The talk still contains an abandoned message, so the model may answer it together with a later one.
    const isRight = answerCount === 1 || (answerCount === 0 && abandonedSeqs.has(seq))
    assert.ok(isRight, `${content} was answered ${answerCount} times`)
  }
}

const count = <T>(counts: Map<T, number>, key: T): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export const compareChanges = (ledger: Ledger, ada: readonly Fact[], dot: readonly Fact[]): void => {
  const names = ada.flatMap(({ event }) => (event.type === 'Renamed' ? [event.name] : []))
  const timeouts = ada.flatMap(({ event }) =>
    event.type === 'IdleTimeoutSet' ? [String(event.seconds)] : [],
  )
  const statuses = dot.flatMap(({ event }) => (event.type === 'StatusSet' ? [event.status] : []))
  for (const [client, values] of [
    ['name', names],
    ['idle_timeout', timeouts],
  ] as const) {
    const open = new Set(
      ledger.listEntries(client).flatMap(({ outcome, value }) => (outcome === 'open' ? [value] : [])),
    )
    assert.is(new Set(values).size, values.length, `a ${client} was set twice`)
    // In the order of their acknowledgement, with only interrupted requests between them.
    const sure = values.filter((value) => !open.has(value))
    assert.equal(sure, ledger.acknowledged(client), `acknowledged ${client} is not in the journal`)
  }
  assert.ok(isWithin(ledger.acknowledged('status'), statuses), 'an acknowledged status is not in the journal')
}

/** Checks only stops: starting a running persona is acknowledged but writes no fact. */
export const compareSwitches = (ledger: Ledger, cal: readonly Fact[]): void => {
  const stopsInJournal = cal.flatMap(({ event }) => (event.type === 'StopAsked' ? ['stop'] : []))
  const stops = ledger.acknowledged('switch').filter((value) => value === 'stop')
  assert.ok(isWithin(stops, stopsInJournal), 'an acknowledged stop is not in the journal')
}

/** Returns true if all wanted values occur in order. */
const isWithin = (wantedLines: readonly string[], foundLines: readonly string[]): boolean => {
  let next = 0
  for (const value of foundLines) if (value === wantedLines[next]) next++
  return next === wantedLines.length
}

export const comparePersonas = (ledger: Ledger, stories: ReadonlyMap<PersonaId, Story>): void => {
  const times = new Map<string, number>()
  for (const [id, { facts }] of stories) {
    assert.is.not(facts.at(-1)?.event.type, 'PersonaDeleted', `the deletion of ${id} was never finished`)
    for (const { event } of facts.slice(0, 1)) if (event.type === 'PersonaCreated') count(times, event.name)
  }
  const deletedOutcomes = new Map(ledger.listEntries('delete').map(({ value, outcome }) => [value, outcome]))
  for (const { value, outcome } of ledger.listEntries('create')) {
    const count = times.get(value) ?? 0
    assert.ok(count <= 1, `${value} has ${count} journals`)
    if (outcome === 'acknowledged' && !deletedOutcomes.has(value))
      assert.is(count, 1, `acknowledged ${value} has no journal`)
    if (deletedOutcomes.get(value) === 'acknowledged') assert.is(count, 0, `${value} should be gone`)
  }
}
