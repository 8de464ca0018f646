/**
 * `daimon journal-browser <path>`: shows a copied journal or a diary on a read-only page, without a daemon.
 * Works on a copy in a temporary folder, which is removed at the end. Keys and tokens are not copied.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { journalFolder, mediaFolder, personaFolder } from '../../home/places.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'
import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { createLog } from '../../packages/kit/log.ts'
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { readConfig } from '../config.ts'
import { openDaemon } from '../daemon.ts'
import { openDiary } from '../diary/diary.ts'
import { DiaryUnopened } from '../diary/unopened.ts'
import { fold } from '../persona/fold.ts'
import { deriveIdentity, readPhrase as parsePhrase } from '../persona/phrase.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { readPhrase } from './recovery-words.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export const browseJournal = async (path: string, port: string | undefined): Promise<void> => {
  process.umask(0o077)
  const home = await mkdtemp(join(tmpdir(), 'daimon-browser-'))
  const removeHome = () => rm(home, { recursive: true, force: true })
  try {
    const copies = await copyInto(home, path)
    const config = readConfig({ HOME: home, DAIMON_HOME: home }, { port: port ?? '0' })
    const log = await createLog({ level: 'warn' })
    const daemon = await openDaemon(config, log, {
      copy: { path, until: Object.fromEntries(copies.map(({ id, until }) => [id, until])) },
    })
    const close = async () => {
      await daemon.close()
      await removeHome()
    }
    // Closing the terminal must not leave the copy.
    process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM'))
    stopOnSignal(close, (err) => log.error({ err }, 'stopping failed'))
    const addresses = copies.map(({ id }) => `http://127.0.0.1:${daemon.port}/persona/${id}/life`)
    writeStandard(1, `${addresses.join('\n')}\nA read-only view of a copy. Ctrl-C ends it.\n`)
  } catch (error) {
    await removeHome()
    throw error
  }
}

/** `until`: the time of its last fact, ISO 8601. */
interface Copy {
  readonly id: PersonaId
  readonly until: string
}

/** Copies the personas at a path into a new home. */
const copyInto = async (home: string, path: string): Promise<readonly Copy[]> => {
  const kind = await findKind(path)
  if (kind === 'diary') return [await unpackDiary(home, path)]
  if (kind === 'journal') return [await copyPersona(home, { journal: path, media: join(path, '../media') })]
  const folders =
    kind === 'persona'
      ? [path]
      : (await readdir(join(path, 'personas'))).map((id) => join(path, 'personas', id))
  const copies: Copy[] = []
  for (const folder of folders)
    if (await exists(join(folder, 'journal')))
      copies.push(await copyPersona(home, { journal: join(folder, 'journal'), media: join(folder, 'media') }))
  if (copies.length === 0) throw new CommandFailed(`${path} contains no persona`, exitCodes.unknown)
  return copies
}

const findKind = async (path: string): Promise<'diary' | 'journal' | 'persona' | 'home'> => {
  const entry = await stat(path).catch(() => null)
  if (!entry) throw new CommandFailed(`${path} does not exist`, exitCodes.unknown)
  if (entry.isFile()) return 'diary'
  if (await exists(join(path, 'CURRENT'))) return 'journal'
  if (await exists(join(path, 'journal'))) return 'persona'
  if (await exists(join(path, 'personas'))) return 'home'
  throw new CommandFailed(`${path} is no journal, folder of a persona, home or diary`, exitCodes.unknown)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

interface Parts {
  readonly journal: string
  readonly media: string
}

const copyPersona = async (home: string, { journal, media }: Parts): Promise<Copy> => {
  const options = { recursive: true, mode: constants.COPYFILE_FICLONE } as const
  const copyId = randomUUID()
  await makeFolder(personaFolder(home, copyId))
  await cp(journal, journalFolder(home, copyId), options)
  if (await exists(media)) await cp(media, mediaFolder(home, copyId), options)
  return nameAfterPersona(home, copyId)
}

/** Asks for the 24 words on the terminal. */
const unpackDiary = async (home: string, path: string): Promise<Copy> => {
  const phrase = await parsePhrase(await readPhrase())
  if (phrase.fault) throw new CommandFailed('these are not 24 recovery words of a persona', exitCodes.usage)
  try {
    const diary = await openDiary(path, await deriveIdentity(phrase.entropy), home)
    const copyId = randomUUID()
    await makeFolder(personaFolder(home, copyId))
    for (const name of ['journal', 'media'])
      await rename(join(diary.folder, name), join(personaFolder(home, copyId), name))
    await diary.drop()
    return await nameAfterPersona(home, copyId)
  } catch (error) {
    if (!(error instanceof DiaryUnopened)) throw error
    throw new CommandFailed(`the diary cannot be opened: ${error.message}`, exitCodes.refused)
  }
}

/** Renames the folder to the id in the journal. The daemon lists no other folders. */
const nameAfterPersona = async (home: string, copyId: PersonaId): Promise<Copy> => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(copyId, 'reader')
  const { persona } = await fold(journal)
  let lastTime = ''
  for await (const { at, offset } of journal.read({ last: 1 })) lastTime = isoWithOffset(at, offset)
  await journal.close()
  const id = persona?.self.id
  if (id === undefined) throw new CommandFailed('the journal has no readable first fact', exitCodes.refused)
  await rename(personaFolder(home, copyId), personaFolder(home, id))
  return { id, until: lastTime }
}
