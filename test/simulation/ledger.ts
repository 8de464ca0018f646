/** Compares published commits and acknowledged requests with the journals on disk. */

import type { Hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Ask } from './asks.ts'
import { readStory } from './story.ts'
import type { Watch } from './watch.ts'
import type { World } from './world.ts'

interface Comparison {
  readonly world: World
  /** Watch of the process that healed: it must have published everything. */
  readonly healed: Watch
  readonly watches: readonly Watch[]
  readonly asks: readonly Ask[]
  readonly ids: readonly PersonaId[]
  readonly digest: Hash
  readonly wrong: (problem: string) => void
}

export const compare = async ({
  world,
  healed: healedWatch,
  watches,
  asks,
  ids,
  digest,
  wrong,
}: Comparison): Promise<void> => {
  for (const id of ids) {
    const requests = asks.filter((ask) => ask.id === id)
    if (!world.personas.getRow(id)) {
      const isDeleting = requests.some(({ description }) => description.startsWith('delete'))
      const born = requests.some(
        ({ description, outcome }) =>
          description.startsWith('create') && (outcome === 'acknowledged' || outcome === 'late'),
      )
      if (born && !isDeleting) wrong(`${id} was created and is missing`)
      continue
    }
    await world.personas.read(id, async ({ persona, journal }) => {
      const verdict = await journal.verify()
      if (!verdict.intact) wrong(`${id}: the chain is broken at ${verdict.firstBad}`)
      digest.update(verdict.head.hash)
      const entries: Entry[] = []
      for await (const entry of journal.read({})) entries.push(entry)
      const foldedState = readStory(id, entries, true, wrong)
      if (!isDeepStrictEqual(foldedState, persona))
        wrong(`${id}: the snapshot and the facts after it give another state than the fold of all facts`)
      comparePublished(id, entries, watches, healedWatch, wrong)
      compareAsked(id, entries, requests, wrong)
    })
  }
}

/** Published commits equal the stored ones. A stored commit may be unpublished only if its process ended. */
const comparePublished = (
  id: PersonaId,
  entries: readonly Entry[],
  watches: readonly Watch[],
  healedWatch: Watch,
  wrong: (problem: string) => void,
) => {
  const publishedCommits = watches.flatMap((watch) => watch.listEntries(id))
  let previousSeq = 0
  for (const commit of publishedCommits) {
    const [first] = commit.entries
    if (!first) continue
    if (first.seq <= previousSeq) wrong(`${id}: ${first.seq} was published after ${previousSeq}`)
    previousSeq = commit.head.seq
    const storedEntries = entries.slice(first.seq - 1, commit.head.seq)
    const isEqual =
      storedEntries.length === commit.entries.length &&
      storedEntries.every((entry, place) => isSame(entry, commit.entries[place]))
    if (!isEqual) wrong(`${id}: the published commit of ${first.seq} differs from the stored one`)
  }
  const last = healedWatch.listEntries(id).at(-1)
  if (last && last.head.seq !== entries.length) wrong(`${id}: nothing was published after ${last.head.seq}`)
}

const isSame = (entry: Entry, publishedEntry: Entry | undefined): boolean =>
  publishedEntry !== undefined &&
  entry.commit === publishedEntry.commit &&
  entry.seq === publishedEntry.seq &&
  isDeepStrictEqual(entry.event, publishedEntry.event)

const compareAsked = (
  id: PersonaId,
  entries: readonly Entry[],
  requests: readonly Ask[],
  wrong: (problem: string) => void,
) => {
  const asksByFacts = new Map<string, Ask[]>()
  for (const ask of requests) {
    const name = JSON.stringify(ask.facts)
    if (ask.facts.length > 0) asksByFacts.set(name, [...(asksByFacts.get(name) ?? []), ask])
  }
  for (const asksTogether of asksByFacts.values()) {
    const [first] = asksTogether
    const [wantedFact] = first?.facts ?? []
    if (!first || !wantedFact) continue
    const matches = entries.filter(({ event }) => matchesFact(event, wantedFact))
    if (matches.length > 1) wrong(`${id}: ${first.description} was done ${matches.length} times`)
    const keptAsk = asksTogether.find(({ outcome }) => outcome === 'acknowledged' || outcome === 'late')
    if (keptAsk && matches.length === 0)
      wrong(`${id}: ${keptAsk.description} was ${keptAsk.outcome} and is not stored`)
    if (asksTogether.every(({ outcome }) => outcome === 'refused') && matches.length > 0)
      wrong(`${id}: ${first.description} was refused and is stored`)
    for (const { commit } of matches) {
      const all = entries.filter((entry) => entry.commit === commit)
      const partialFacts = first.facts.filter((fact) => !all.some(({ event }) => matchesFact(event, fact)))
      if (partialFacts.length > 0) wrong(`${id}: only a part of ${first.description} is stored`)
    }
  }
}

const matchesFact = (event: object, wantedFact: object): boolean =>
  Object.entries(wantedFact).every(([name, value]) =>
    isDeepStrictEqual((event as Record<string, unknown>)[name], value),
  )
