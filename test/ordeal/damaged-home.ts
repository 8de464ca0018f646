/**
 * A home with three personas, closed in order or left by a crash, to be damaged. Copies link the immutable
 * files.
 */
import { randomBytes } from 'node:crypto'
import { copyFile, cp, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { PersonaId, Sha256 } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { type Draft, type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { journalFolder, personaFolder } from '../../home/places.ts'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { splitLog } from './two-logs.ts'

export type ExitKind = 'in order' | 'by a crash'

export interface HostedPersona {
  readonly id: PersonaId
  /** Dedupe keys of the messages to the persona. */
  readonly keys: readonly string[]
  readonly parts: readonly Sha256[]
  readonly media: readonly string[]
}

export interface Homes {
  readonly folders: Readonly<Record<ExitKind, string>>
  readonly personas: readonly HostedPersona[]
}

const names = ['Ada', 'Bea', 'Cal'] as const
/** Rounds of each persona before the talk. */
const roundCounts = [24, 8, 3]
const words = [
  'My name is Mia and I live in Lisbon.',
  'Remind me every Monday at 9 to water the plants',
  'Remind me tomorrow at 10 to call my mother',
  'What is planned?',
  'Cancel the call to my mother',
  'Forget that I live in Lisbon.',
]

/** Creates the homes with the product itself, in an existing folder. */
export const makeHomes = async (folder: string): Promise<Homes> => {
  const folders = { 'in order': join(folder, 'closed'), 'by a crash': join(folder, 'crashed') }
  const home = folders['in order']
  const ids = await createPersonas(home)
  const personas: HostedPersona[] = []
  for (const [n, id] of ids.entries()) personas.push(await live(home, id, roundCounts[n] ?? 1))
  const daemon = await startDaemon({ home, clock: createFakeClock() })
  const { url } = daemon
  for (const id of ids) await say(url, id, 'thank you', `${id}-late`)
  await daemon.close()
  await leftByCrash(await copyHome(home, join(folder, 'again')), folders['by a crash'], personas)
  return { folders, personas }
}

/** Copies a home whose journals and catalog are open. The first persona's journal has two logs. */
const leftByCrash = async (
  home: string,
  place: string,
  personas: readonly HostedPersona[],
): Promise<void> => {
  const daemon = await startDaemon({ home, clock: createFakeClock() })
  for (const { id } of personas) await say(daemon.url, id, 'What do you know about me?', `${id}-last`)
  await mkdir(place)
  await cp(join(home, 'daemon'), join(place, 'daemon'))
  await daemon.close()
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  for (const [n, { id }] of personas.entries()) {
    await cp(personaFolder(home, id), personaFolder(place, id), {
      recursive: true,
      filter: (path) => !path.endsWith('journal'),
    })
    const journal = await journals.open(id, 'writer')
    for (let round = 0; round < 4; round++) await recordUsage(journal, 1000 + round)
    await cp(journalFolder(home, id), journalFolder(place, id), { recursive: true })
    if (n === 0) await splitLog(journalFolder(place, id))
    const listEntry = catalog.get(id)
    if (listEntry) catalog.put(id, { ...listEntry, head: journal.head })
    await journal.close()
  }
  await catalog.settled()
  for (const folder of ['catalog', 'lock'])
    await cp(join(home, folder), join(place, folder), { recursive: true })
  await catalog.close()
  await rm(home, { recursive: true })
}

/** Creates the personas. All of them run; the first and the third have a key. */
const createPersonas = async (home: string): Promise<readonly PersonaId[]> => {
  const daemon = await startDaemon({ home, clock: createFakeClock() })
  const ids: PersonaId[] = []
  for (const name of names) {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name,
      thinking_model: 'embedded/practice',
    })
    ids.push(body.persona.id)
  }
  for (const [n, id] of ids.entries()) {
    for (const [place, text] of words.entries()) await say(daemon.url, id, text, `${id}-${place}`)
    const thinkingFields = { model: 'embedded/practice', api_key: `sk-${randomBytes(12).toString('hex')}` }
    if (n % 2 === 0)
      await expectOk(call(daemon.url, 'POST', `/api/persona/${id}/update`, { thinking: thinkingFields }))
  }
  await daemon.close()
  return ids
}

const say = (url: string, id: PersonaId, message: string, key: string) =>
  expectOk(call(url, 'POST', `/api/persona/${id}/read?wait=30`, { message }, { key }))

const expectOk = async (request: ReturnType<typeof call>): Promise<void> => {
  const { status, body } = await request
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
}

/**
 * Produces enough facts that the journal has tables and a snapshot is stored. The texts are random, so that
 * they compress badly.
 */
const live = async (home: string, id: PersonaId, rounds: number): Promise<HostedPersona> => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(id, 'writer')
  const parts: Sha256[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 4 === 0) parts.push(await journal.putPart(randomBytes(700)))
    await recordUsage(journal, round)
  }
  await journal.close()
  const media = ['picture.png', 'letter.txt']
  await mkdir(join(personaFolder(home, id), 'media'))
  for (const name of media) await writeFile(join(personaFolder(home, id), 'media', name), randomBytes(2000))
  return { id, keys: [...words.keys(), 'late', 'last'].map((place) => `${id}-${place}`), parts, media }
}

const recordUsage = (journal: Journal, round: number) =>
  journal.append(
    [
      toDraft(toSpokenFact(round)),
      toDraft(toPlannedFact(round), toRunFacts()),
      toDraft(toCancelledFact(round)),
    ],
    journal.head,
  )

const toDraft = (...events: readonly PersonaEvent[]): Draft => ({
  events,
  cause: { by: 'agent' },
  at: Date.parse('2026-11-23T09:00:00Z'),
  offset: 60,
})

const toSpokenFact = (round: number): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: null,
  step: null,
  channel: null,
  content: `${round} ${randomBytes(60).toString('base64')}`,
  media: null,
  asks: null,
})

const toPlannedFact = (round: number): PersonaEvent => ({
  type: 'EntryPlanned',
  id: `x${round}`,
  kind: 'reminder',
  wall: '2027-11-23T09:00:00',
  zone: 'Europe/Berlin',
  content: `plan ${round}`,
  recurrence: null,
  anchor: '2027-11-23T09:00:00',
})

const toCancelledFact = (round: number): PersonaEvent => ({ type: 'EntryCancelled', id: `x${round}` })

const toRunFacts = (): PersonaEvent => ({
  type: 'ToolAnswered',
  turn: 1,
  step: 0,
  call: 'c1',
  name: 'recall',
  ok: true,
  output: randomBytes(9000).toString('base64'),
})

/** Copies a home. Tables and media are linked, because their content never changes. */
export const copyHome = async (home: string, place: string): Promise<string> => {
  const files = await listFiles(home)
  await rm(place, { recursive: true, force: true })
  for (const folder of new Set(files.map(dirname)))
    await mkdir(join(place, folder), { recursive: true, mode: 0o700 })
  const copy = (file: string) =>
    (/\.ldb$|media/.test(file) ? link : copyFile)(join(home, file), join(place, file))
  await Promise.all(files.map(copy))
  return place
}

/** Returns the paths of all files below a folder, without folders. */
export const listFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
