/**
 * Opens damaged homes in a process of its own, because damaged files can crash LevelDB. It receives a damage
 * and sends the outcome.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { journalFolder } from '../../home/places.ts'
import { findEnd } from '../../journal/leveldb-reader/log-file.ts'
import { type Answers, askDaemon, askJournals, askPersonas } from './daemon-answers.ts'
import { type Judgement, judge } from './damage-judge.ts'
import { copyHome, type Homes, listFiles } from './damaged-home.ts'
import { type Damage, inflict } from './damages.ts'
import { findFirstLost, locateRecords } from './lost-records.ts'

export interface Task {
  readonly homes: Homes
  /** Folder for the damaged copies. */
  readonly scratch: string
  readonly damage: Damage
}

export interface Outcome extends Judgement {
  /** CPU time of this process in ms. */
  readonly cpu: number
}

const ask = { journals: askJournals, personas: askPersonas, daemon: askDaemon }
const memo = new Map<string, unknown>()

/** Computes a value once in the life of this process. */
const memoize = async <T>(name: string, make: () => Promise<T>): Promise<T> => {
  if (!memo.has(name)) memo.set(name, await make())
  return memo.get(name) as T
}

const judgeDamage = async ({ homes, scratch, damage }: Task): Promise<Judgement> => {
  const { personas, folders } = homes
  const { exitKind, target, file } = damage
  const original = folders[exitKind]
  const filesBefore = await memoize(`${exitKind} ${target}`, async () =>
    ask[target](await copyHome(original, join(scratch, 'sound')), personas),
  )
  const persona = personas.find(({ id }) => file.includes(id))
  const inJournal = persona !== undefined && basename(dirname(file)) === 'journal'
  const home = await copyHome(original, join(scratch, 'damaged'))
  await inflict(home, damage)
  const journalFiles = inJournal ? await readJournalFiles(home, persona.id) : undefined
  const answersNow = await getAnswers(home, damage, homes)
  const places = inJournal
    ? await memoize(`places ${exitKind} ${persona.id}`, () => findPlaces(original, scratch, persona.id))
    : []
  const firstLost = inJournal
    ? findFirstLost(damage, await readFile(join(original, file)), places)
    : undefined
  const judgement = judge(damage, personas, filesBefore, answersNow, firstLost)
  if (!journalFiles || judgement.outcome === 'harmless') return judgement
  // A file that was truncated, emptied or removed at its end looks complete: none of the remaining records is
  // lost.
  if (mayBeMoved(damage, journalFiles, await readJournalFiles(home, persona?.id ?? ''))) return judgement
  const changedFiles = listChanges(journalFiles, await readJournalFiles(home, persona?.id ?? ''))
  return changedFiles.length > 0
    ? { ...judgement, faults: [...judgement.faults, `the damaged journal was changed: ${changedFiles}`] }
    : judgement
}

const getAnswers = async (home: string, { target }: Damage, { personas }: Homes): Promise<Answers> => {
  try {
    return await ask[target](home, personas)
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

const findPlaces = async (home: string, scratch: string, id: string) =>
  locateRecords(journalFolder(await copyHome(home, join(scratch, 'looked')), id))

/** The files of a journal, without LevelDB's own notes. */
const readJournalFiles = async (home: string, id: string): Promise<ReadonlyMap<string, Buffer>> => {
  const folder = journalFolder(home, id)
  const files = (await listFiles(folder)).filter((name) => !/^(LOG|LOG\.old|LOCK)$/.test(name))
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  )
}

/** LevelDB drops the newest log if its end is damaged; we keep it complete under another name. */
const mayBeMoved = (
  { file, effect }: Damage,
  filesBefore: ReadonlyMap<string, Buffer>,
  filesAfter: ReadonlyMap<string, Buffer>,
): boolean => {
  if (!file.endsWith('.log') || effect === 'folder') return false
  const bytes = filesBefore.get(basename(file))
  const isKept = bytes !== undefined && [...filesAfter.values()].some((content) => content.equals(bytes))
  return isKept || (effect !== 'flip' && (bytes === undefined || findEnd(bytes) === 'whole'))
}

const listChanges = (
  filesBefore: ReadonlyMap<string, Buffer>,
  filesAfter: ReadonlyMap<string, Buffer>,
): readonly string[] => [
  ...[...filesBefore].flatMap(([name, bytes]) =>
    filesAfter.get(name)?.equals(bytes) ? [] : [filesAfter.has(name) ? `${name} is another` : `no ${name}`],
  ),
  ...[...filesAfter.keys()].flatMap((name) => (filesBefore.has(name) ? [] : [`a new ${name}`])),
]

const runTask = async (task: Task): Promise<void> => {
  await mkdir(task.scratch, { recursive: true })
  const cpuStart = process.cpuUsage()
  const judgement = await judgeDamage(task)
  const { user, system } = process.cpuUsage(cpuStart)
  const outcome: Outcome = { ...judgement, cpu: (user + system) / 1000 }
  process.send?.(outcome)
}

process.on('message', (task: Task) => void runTask(task))
process.on('disconnect', () => process.exit(0))
