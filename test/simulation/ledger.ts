/** Compares published commits and acknowledged requests with the journals on disk. */

import type { Hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Entry } from '../../journal/log/journal.ts'
import type { Ask } from './asks.ts'
import { readStory } from './story.ts'
import type { Watch } from './watch.ts'
import type { World } from './world.ts'

interface Compared {
  readonly world: World
  /** Watch of the process that healed: it must have published everything. */
  readonly healed: Watch
  readonly watches: readonly Watch[]
  readonly asked: readonly Ask[]
  readonly ids: readonly PersonaId[]
  readonly digest: Hash
  readonly wrong: (what: string) => void
}

export const compare = async ({
  world,
  healed,
  watches,
  asked,
  ids,
  digest,
  wrong,
}: Compared): Promise<void> => {
  for (const id of ids) {
    const asks = asked.filter((ask) => ask.id === id)
    if (!world.personas.listed(id)) {
      const deleted = asks.some(({ what }) => what.startsWith('delete'))
      const born = asks.some(
        ({ what, outcome }) =>
          what.startsWith('create') && (outcome === 'acknowledged' || outcome === 'late'),
      )
      if (born && !deleted) wrong(`${id} was created and is missing`)
      continue
    }
    await world.personas.read(id, async ({ persona, journal }) => {
      const verdict = await journal.verify()
      if (!verdict.intact) wrong(`${id}: the chain is broken at ${verdict.firstBad}`)
      digest.update(verdict.head.hash)
      const entries: Entry[] = []
      for await (const entry of journal.read({})) entries.push(entry)
      const folded = readStory(id, entries, true, wrong)
      if (!isDeepStrictEqual(folded, persona))
        wrong(`${id}: the snapshot and the facts after it give another state than the fold of all facts`)
      compareTold(id, entries, watches, healed, wrong)
      compareAsked(id, entries, asks, wrong)
    })
  }
}

/** Published commits equal the stored ones. A stored commit may be unpublished only if its process ended. */
const compareTold = (
  id: PersonaId,
  entries: readonly Entry[],
  watches: readonly Watch[],
  healed: Watch,
  wrong: (what: string) => void,
) => {
  const told = watches.flatMap((watch) => watch.of(id))
  let before = 0
  for (const commit of told) {
    const [first] = commit.entries
    if (!first) continue
    if (first.seq <= before) wrong(`${id}: ${first.seq} was published after ${before}`)
    before = commit.head.seq
    const there = entries.slice(first.seq - 1, commit.head.seq)
    const same =
      there.length === commit.entries.length &&
      there.every((entry, place) => isSame(entry, commit.entries[place]))
    if (!same) wrong(`${id}: the published commit of ${first.seq} differs from the stored one`)
  }
  const last = healed.of(id).at(-1)
  if (last && last.head.seq !== entries.length) wrong(`${id}: nothing was published after ${last.head.seq}`)
}

const isSame = (entry: Entry, told: Entry | undefined): boolean =>
  told !== undefined &&
  entry.commit === told.commit &&
  entry.seq === told.seq &&
  isDeepStrictEqual(entry.event, told.event)

const compareAsked = (
  id: PersonaId,
  entries: readonly Entry[],
  asks: readonly Ask[],
  wrong: (what: string) => void,
) => {
  const keyed = new Map<string, Ask[]>()
  for (const ask of asks) {
    const name = JSON.stringify(ask.facts)
    if (ask.facts.length > 0) keyed.set(name, [...(keyed.get(name) ?? []), ask])
  }
  for (const same of keyed.values()) {
    const [first] = same
    const [wanted] = first?.facts ?? []
    if (!first || !wanted) continue
    const found = entries.filter(({ event }) => fits(event, wanted))
    if (found.length > 1) wrong(`${id}: ${first.what} was done ${found.length} times`)
    const kept = same.find(({ outcome }) => outcome === 'acknowledged' || outcome === 'late')
    if (kept && found.length === 0) wrong(`${id}: ${kept.what} was ${kept.outcome} and is not stored`)
    if (same.every(({ outcome }) => outcome === 'refused') && found.length > 0)
      wrong(`${id}: ${first.what} was refused and is stored`)
    for (const { commit } of found) {
      const all = entries.filter((entry) => entry.commit === commit)
      const half = first.facts.filter((fact) => !all.some(({ event }) => fits(event, fact)))
      if (half.length > 0) wrong(`${id}: only a part of ${first.what} is stored`)
    }
  }
}

const fits = (event: object, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    isDeepStrictEqual((event as Record<string, unknown>)[name], value),
  )
