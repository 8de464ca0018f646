/**
 * Writes homes with many personas or long journals with the journal's own code, fast because nothing is
 * synced.
 */
import { mkdir } from 'node:fs/promises'
import type { Cause, PersonaId } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { type Draft, type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { type Catalog, openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { homeFormat, writeHomeVersion } from '../../home/home-version.ts'
import { journalFolder } from '../../home/places.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { version } from '../../packages/kit/version.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from '../../src/persona/fold.ts'
import { unusedRecipient } from '../daemon.ts'
import { toParts } from '../message-parts.ts'

/** Ids that show the number of the persona; the daemon accepts any id. */
export const createName = (n: number): PersonaId => `p${String(n).padStart(5, '0')}`

const longAgo = Date.parse('2026-01-01T08:00:00Z')
/** Number of facts for one message and its reply. */
const factsPerRound = 5
const roundsAtOnce = 205
/**
 * Same intervals as the daemon's: after this many facts, and when closing after more than the second number.
 */
const snapshotEvery = 1024
const snapshotAtClose = 64

/** Returns the message and the reply for a position. */
type CreateTalk = (seq: number) => readonly [asked: string, answered: string]

const plainTalk: CreateTalk = (seq) => [
  `What was it that I told you about number ${seq}?`,
  `You told me that number ${seq} is a favourite of yours.`,
]

/**
 * Creates a home that was closed in order, with one running persona of the practice model for each number of
 * facts. `apart`: ms from one fact to the next.
 */
export const fillHome = async (
  home: string,
  lifeSizes: readonly number[],
  talk = plainTalk,
  intervalMs = 0,
): Promise<readonly PersonaId[]> => {
  const catalog = await openCatalog(home)
  const namedLives = lifeSizes.map((facts, n) => [createName(n), facts] as const)
  const worker = async () => {
    for (let life = namedLives.shift(); life; life = namedLives.shift())
      await writeLife(home, catalog, { said: talk, intervalMs }, ...life)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  await catalog.close()
  // The current version, because the start copies the journals of homes with another version.
  await writeHomeVersion(home, { format: homeFormat, daemon: version })
  return lifeSizes.map((_, n) => createName(n))
}

/** Creates a persona that was born, started and talked to. It does not run, but should run after a start. */
const writeLife = async (
  home: string,
  catalog: Catalog,
  { said: talk, intervalMs }: { readonly said: CreateTalk; readonly intervalMs: number },
  id: PersonaId,
  facts: number,
): Promise<void> => {
  const journals = openPersonaJournals({
    stores: await openUnsyncedStores(home),
    witness: async () => undefined,
  })
  const birth = toDraft('person', ...firstFacts(id))
  const journal = await journals.create(id, birth)
  let persona = foldEvents(undefined, birth.events, 1)
  let lastSnapshot = 0
  while (journal.head.seq < facts - 1) {
    const rounds = Math.max(
      1,
      Math.min(roundsAtOnce, Math.floor((facts - 1 - journal.head.seq) / factsPerRound)),
    )
    const seqBefore = journal.head.seq
    const drafts = Array.from({ length: rounds }, (_, n) =>
      toRound(seqBefore + n * factsPerRound + 1, talk),
    ).flat()
    await append(journal, withTimes(drafts, seqBefore, intervalMs))
    persona = foldEvents(
      persona,
      drafts.flatMap(({ events }) => events),
      seqBefore + 1,
      intervalMs,
    )
    if (journal.head.seq - lastSnapshot < snapshotEvery) continue
    lastSnapshot = journal.head.seq
    await keepSnapshot(journal, persona)
  }
  const end = toDraft('agent', { type: 'Stopped', life: 1 })
  await append(journal, withTimes([end], journal.head.seq, intervalMs))
  persona = foldEvents(persona, end.events, journal.head.seq, intervalMs)
  if (journal.head.seq - lastSnapshot > snapshotAtClose) await keepSnapshot(journal, persona)
  catalog.put(id, { head: journal.head, self: persona.self })
  await journal.close()
}

const keepSnapshot = (journal: Journal, state: Persona) =>
  journal.keepSnapshot({ projector, version: personaVersion, head: journal.head, state })

const append = (journal: Journal, drafts: readonly Draft[]) => journal.append(drafts, journal.head)

const toDraft = (author: Cause['by'], ...events: readonly PersonaEvent[]): Draft => ({
  events,
  cause: { by: author },
  at: longAgo,
  offset: 0,
})

/** Gives each draft the time of its last fact. */
const withTimes = (drafts: readonly Draft[], intervalStart: number, intervalMs: number): readonly Draft[] => {
  let seq = intervalStart
  return drafts.map((draft) => {
    seq += draft.events.length
    return { ...draft, at: longAgo + seq * intervalMs }
  })
}

const firstFacts = (id: PersonaId): readonly PersonaEvent[] => [
  {
    type: 'PersonaCreated',
    id,
    name: `Ada ${id}`,
    birthday: '2026-01-01',
    idleTimeout: 3600,
    recipient: unusedRecipient,
  },
  {
    type: 'OrganReplaced',
    slot: 'thinking',
    organ: { model: 'embedded/practice', provider: null, url: null, key: null },
  },
  { type: 'StartAsked' },
  { type: 'Woke', life: 1 },
]

/** Returns the facts of one message and its reply, beginning at a position. */
const toRound = (seq: number, talk: CreateTalk): readonly Draft[] => {
  const [content, text] = talk(seq)
  const channel = { type: 'web', name: 'web' } as const
  const turn = seq + 1
  return [
    toDraft('person', {
      type: 'MessageHeard',
      channel,
      parts: toParts(content),
      media: null,
      key: null,
    }),
    toDraft(
      'agent',
      { type: 'TurnBegan', life: 1, channel, stimuli: { after: seq - 1, upTo: seq, due: [] } },
      {
        type: 'ModelAnswered',
        turn,
        step: 0,
        organ: 'thinking',
        provider: null,
        model: 'embedded/practice',
        usage: { input: 40, output: 12, cached: null, made: null },
        calls: 1,
        price: null,
        ms: 3,
        recipe: { parts: [seq], sent: '00'.repeat(32) },
        answer: { text, calls: [] },
        cause: 'turn',
      },
    ),
    toDraft(
      'agent',
      { type: 'MessageSpoken', turn, step: 0, channel, content: text, media: null, asks: null },
      { type: 'TurnEnded', turn, outcome: 'answered', reason: null },
    ),
  ]
}

const foldEvents = (
  persona: Persona | undefined,
  events: readonly PersonaEvent[],
  first: number,
  intervalMs = 0,
): Persona =>
  events.reduce<Persona | undefined>(
    (state, event, n) => evolve(state, { seq: first + n, at: longAgo + (first + n) * intervalMs, event }),
    persona,
  ) as Persona

/** Stores that sync nothing. */
const openUnsyncedStores = async (home: string): Promise<Stores> => ({
  ...(await openStores(home)),
  create: async (id, first) => {
    const folder = journalFolder(home, id)
    await mkdir(folder, { recursive: true })
    const store = await openLevelStore(folder, 'new')
    await store.batch(first, { sync: false })
    return ignoreSync(store)
  },
})

const storesByHome = new Map<string, Promise<Stores>>()
const openStores = (home: string): Promise<Stores> => {
  const stores = storesByHome.get(home) ?? openHomeStores(home)
  storesByHome.set(home, stores)
  return stores
}

const ignoreSync = (store: Store): Store => ({ ...store, batch: (ops) => store.batch(ops, { sync: false }) })
