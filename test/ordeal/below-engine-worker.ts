/**
 * A process in which one system call fails. It runs one deed with the daemon on a copy of a home, then starts
 * the daemon again without faults and compares its data with the acknowledged changes.
 */
import { accessSync } from 'node:fs'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { call, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { filesHolding, valuesHolding } from '../words-on-disk.ts'
import {
  getMessages,
  type Homes,
  makeHomes,
  type State,
  say,
  secretWord,
  toLine,
} from './below-engine-home.ts'

export interface Fault {
  readonly kind: string
  /** Number of the call of its kind, from 1. */
  readonly nth: number
  readonly error: 'EMFILE' | 'ENFILE' | 'EIO' | 'EACCES' | 'ENOMEM' | 'ENOSPC' | 'EPERM'
}

export type Task =
  | { readonly what: 'make'; readonly folder: string }
  | {
      readonly what: 'do'
      readonly homes: Homes
      readonly deed: DeedName
      readonly state: State
      /** Folder for the copy of the home. */
      readonly scratch: string
      /** If undefined, the calls are recorded. */
      readonly fault?: Fault
    }

export interface Outcome {
  readonly homes?: Homes
  readonly calls?: readonly string[]
  /** True if the call was made. */
  readonly isMet: boolean
  readonly faults: readonly string[]
}

/** Records the effects of a deed. */
interface Ledger {
  readonly messages: string[]
  erase?: 'acknowledged' | 'refused'
  fork?: string
  salvaged?: boolean
}

interface Scene {
  readonly homes: Homes
  readonly home: string
  readonly ledger: Ledger
}

const post = (url: string, path: string, body?: unknown) => call(url, 'POST', path, body)
const personaPath = ({ homes: { id } }: Scene) => `/api/persona/${id}`

const talkTo = async (scene: Scene, url: string, ...texts: readonly string[]): Promise<void> => {
  for (const text of texts) if (await say(url, scene.homes.id, text)) scene.ledger.messages.push(text)
}

const readTalk = (scene: Scene, url: string) => getMessages(url, scene.homes.id)

/** The deeds that run while a call fails. `start`: the fault is also active while the daemon starts. */
const deeds = {
  start: { start: true, act: readTalk },
  upgrade: { start: true, act: readTalk },
  rebuild: {
    start: true,
    act: async (scene: Scene, url: string) => {
      await call(url, 'GET', `${personaPath(scene)}/search?q=boat`)
    },
  },
  talk: {
    start: false,
    act: async (scene: Scene, url: string) => {
      await talkTo(scene, url, 'One more thing.', 'And another.')
      await post(url, `${personaPath(scene)}/restart`)
      await talkTo(scene, url, 'The last one.')
    },
  },
  night: {
    start: false,
    act: async (scene: Scene, url: string) => {
      await talkTo(scene, url, 'Good night.')
      await post(url, `${personaPath(scene)}/sleep`)
    },
  },
  erase: {
    start: false,
    act: async (scene: Scene, url: string) => {
      await talkTo(scene, url, 'Before it.')
      const request = { seqs: [scene.homes.seq], also: true }
      const { status } = await post(url, `${personaPath(scene)}/erase`, request)
      scene.ledger.erase = status === 200 ? 'acknowledged' : 'refused'
      await talkTo(scene, url, 'After it.')
    },
  },
  fork: {
    start: false,
    act: async (scene: Scene, url: string) => {
      const { status, body } = await post(url, `${personaPath(scene)}/fork`, { name: 'Eva' })
      if (status === 200) scene.ledger.fork = body.persona.id
      await talkTo(scene, url, 'Behind it.')
    },
  },
  salvage: {
    start: false,
    act: async (scene: Scene, url: string) => {
      const { status } = await post(url, `${personaPath(scene)}/salvage`)
      scene.ledger.salvaged = status === 200
      if (status === 200) await talkTo(scene, url, 'Still here.')
    },
  },
} satisfies Record<string, Deed>

interface Deed {
  readonly start: boolean
  readonly act: (scene: Scene, url: string) => Promise<unknown>
}

export type DeedName = keyof typeof deeds

const controlShim = (...args: readonly string[]): boolean => {
  try {
    accessSync(`/below-engine/${args.join('/')}`)
    return true
  } catch {
    return false
  }
}

const runTask = async (task: Task & { readonly what: 'do' }): Promise<Outcome> => {
  const { homes, deed, state, scratch: home, fault } = task
  const { start, act } = deeds[deed]
  await cp(homes.folders[state], home, { recursive: true })
  const scene: Scene = { homes, home, ledger: { messages: [] } }
  const faults: string[] = []
  const list = `${home}.calls`
  controlShim('home', home.slice(1))
  let daemon = start ? undefined : await startDaemon({ home })
  if (fault) controlShim('fail', String(fault.nth), String(constants.errno[fault.error]), fault.kind)
  else controlShim('record', list.slice(1))
  let isCallMade = false
  try {
    daemon ??= await startDaemon({ home })
    await act(scene, daemon.url)
    if (fault) {
      isCallMade = controlShim('off')
      // Not closed yet: the answers must contain everything that was acknowledged.
      faults.push(...(await findLossesNow(scene, daemon)))
      if (!isCallMade) controlShim('fail', '1', String(constants.errno[fault.error]), fault.kind)
    }
  } catch (error) {
    // A start may be refused.
    if (daemon !== undefined) faults.push(`the deed ended with ${error}`)
  } finally {
    await daemon?.close().catch((error: unknown) => faults.push(`closing: ${error}`))
    isCallMade = controlShim('off') || isCallMade
  }
  controlShim('home')
  try {
    const calls = fault ? undefined : (await readFile(list, 'latin1')).trim().split('\n')
    faults.push(...(await findLossesLater(scene)))
    return { isMet: isCallMade, faults, ...(calls && { calls }) }
  } finally {
    await rm(home, { recursive: true, force: true })
    await rm(list, { force: true })
  }
}

/** Retries, because a refusal may last until the daemon tries again. */
const findLossesNow = async (scene: Scene, { url }: TestDaemon): Promise<readonly string[]> => {
  if (scene.ledger.salvaged === false) return []
  try {
    const lines = await waitFor('the talk', async () => (await readTalk(scene, url))?.map(toLine), 8000)
    return findMissing(scene, lines).map((line) => `this run does not show ${line}`)
  } catch (error) {
    return [`this run: ${(error as Error).message}`]
  }
}

const findLossesLater = async (scene: Scene): Promise<readonly string[]> => {
  const { homes, home, ledger } = scene
  const daemon = await startDaemon({ home })
  const faults: string[] = []
  try {
    const { url } = daemon
    if (ledger.salvaged === false) {
      const { status, body } = await post(url, `${personaPath(scene)}/salvage`)
      // Refused only if the first salvage was done although its response was not successful.
      if (status !== 200 && status !== 400) faults.push(`salvage again: ${status} ${JSON.stringify(body)}`)
    }
    const lines = ((await readTalk(scene, url)) ?? []).map(toLine)
    faults.push(...findMissing(scene, lines).map((line) => `the next run does not show ${line}`))
    const verdict = (await post(url, `${personaPath(scene)}/verify`)).body
    if (verdict.intact !== true) faults.push(`the journal is not intact: ${JSON.stringify(verdict)}`)
    if (ledger.fork !== undefined) {
      const forkLines = ((await getMessages(url, ledger.fork)) ?? []).map(toLine)
      faults.push(
        ...homes.talk.filter((line) => !forkLines.includes(line)).map((line) => `the fork lacks ${line}`),
      )
    }
    // An erase that could not start the persona again left it stopped.
    if (!(await say(url, homes.id, 'Hello again.'))) {
      const { status } = await post(url, `${personaPath(scene)}/start`)
      if (!(await say(url, homes.id, 'Hello again.'))) faults.push(`it takes no message; started: ${status}`)
    }
  } catch (error) {
    faults.push(`the next run: ${error}`)
  } finally {
    await daemon.close()
  }
  const guards = (await readdir(home, { recursive: true })).filter((name) => /guard-\d+$/.test(name))
  faults.push(...guards.map((name) => `${name} is left`))
  if (ledger.erase === 'acknowledged') {
    const remainingTasks = [
      ...(await filesHolding(home, secretWord)),
      ...(await valuesHolding(home, homes.id, secretWord)),
    ]
    faults.push(...remainingTasks.map((place) => `erased words are left in ${place}`))
  }
  return faults
}

/** Returns the messages that are missing in a conversation. A refused erase may have been done or not. */
const findMissing = ({ homes, ledger }: Scene, lines: readonly string[]): readonly string[] => {
  const mayLack = (line: string) =>
    (ledger.erase !== undefined || ledger.salvaged !== undefined) && line.includes(secretWord)
  const expectedTalk = ledger.salvaged === undefined ? homes.talk : homes.talk.filter((_, n) => n !== 1)
  const expectedMessages = [...expectedTalk, ...ledger.messages.map((text) => `person: ${text}`)]
  const lostLines = expectedMessages.filter((line) => !lines.includes(line) && !mayLack(line))
  const erasedLines = ledger.erase === 'acknowledged' ? lines.filter((line) => line.includes(secretWord)) : []
  return [...lostLines, ...erasedLines.map((line) => `the absence of ${line}`)]
}

const runWorker = async (task: Task): Promise<void> => {
  const outcome: Outcome =
    task.what === 'make'
      ? { isMet: false, faults: [], homes: await makeHomes(task.folder) }
      : await runTask(task)
  process.send?.(outcome)
}

process.on('message', (task: Task) => void runWorker(task))
process.on('disconnect', () => process.exit(0))
