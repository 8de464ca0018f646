/** The homes that `below-engine` starts from. The product itself makes each of them once. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeHomeVersion } from '../../home/home-version.ts'
import { journalFolder } from '../../home/places.ts'
import { call } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { splitLog } from './two-logs.ts'

export type State = 'closed' | 'crashed' | 'two logs' | 'damaged' | 'older' | 'without indexes'

export interface Homes {
  readonly folders: Readonly<Record<State, string>>
  readonly id: string
  /** The messages in order: `person: …`, `assistant: …`. */
  readonly talk: readonly string[]
  /** Position of the message that contains `secretWord`. */
  readonly seq: number
}

/** Occurs in one message, which an erase removes. */
export const secretWord = 'quinquireme'

const texts = [
  'My name is Mia and I live in Lisbon.',
  `My boat is a ${secretWord}.`,
  'What is planned?',
  'Remind me tomorrow at 10 to call my mother',
]

export const makeHomes = async (folder: string): Promise<Homes> => {
  const states: readonly State[] = ['closed', 'crashed', 'two logs', 'damaged', 'older', 'without indexes']
  const folders = Object.fromEntries(states.map((state) => [state, join(folder, state)])) as Homes['folders']
  const copy = (state: State) => cp(folders.closed, folders[state], { recursive: true })
  const id = await withDaemon(folders.closed, async ({ url }) => {
    const createFields = { name: 'Ada', thinking_model: 'embedded/practice' }
    const { persona } = (await call(url, 'POST', '/api/persona/create', createFields)).body
    for (const text of texts) await say(url, persona.id, text)
    return persona.id as string
  })
  // LevelDB writes its log to a table and starts another log.
  const messages = await withDaemon(folders.closed, async ({ url }) => {
    await say(url, id, 'Good evening.')
    await call(url, 'GET', `/api/persona/${id}/search?q=boat`)
    return getMessages(url, id)
  })
  const seq = messages?.find(({ content }) => content.includes(secretWord))?.id ?? 0
  await copy('crashed')
  await withDaemon(folders.crashed, () => copyOpen(folders.crashed, `${folders.crashed}.now`))
  await rm(folders.crashed, { recursive: true })
  await cp(`${folders.crashed}.now`, folders.crashed, { recursive: true })
  for (const state of states.slice(2)) await copy(state)
  await splitLog(journalFolder(folders['two logs'], id))
  await damageJournal(folders.damaged, id, messages?.[1]?.id ?? 0)
  await writeHomeVersion(folders.older, { format: 1, daemon: '0.0.1' })
  for (const part of ['catalog', join('personas', id, 'search')])
    await rm(join(folders['without indexes'], part), { recursive: true, force: true })
  return { folders, id, talk: (messages ?? []).map(toLine), seq }
}

/** Retries because LevelDB can remove files at any time. */
const copyOpen = async (home: string, target: string, attempts = 20): Promise<void> => {
  try {
    await cp(home, target, { recursive: true })
  } catch (error) {
    if (attempts === 1) throw error
    await rm(target, { recursive: true, force: true })
    await copyOpen(home, target, attempts - 1)
  }
}

const withDaemon = async <T>(home: string, act: (daemon: TestDaemon) => Promise<T>): Promise<T> => {
  const daemon = await startDaemon({ home })
  try {
    return await act(daemon)
  } finally {
    await daemon.close()
  }
}

export interface Message {
  readonly id: number
  readonly role: string
  readonly content: string
}

export const toLine = ({ role, content }: Message): string => `${role}: ${content}`

/** Returns true if the message was acknowledged. */
export const say = async (url: string, id: string, message: string): Promise<boolean> =>
  (await call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })).status === 200

/** Returns undefined if the messages cannot be read now. */
export const getMessages = async (url: string, id: string): Promise<readonly Message[] | undefined> => {
  const { status, body } = await call(url, 'GET', `/api/persona/${id}/conversation?limit=1000`)
  return status === 200 ? body.messages : undefined
}
