/**
 * One process of a simulated daemon: all real modules from the gate to the turns, on a disk that outlives it.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { createKeyedMutex, type KeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { DiscreetLog, Fields } from '../../packages/kit/log.ts'
import type { Models } from '../../packages/models/models.ts'
import type { Agents } from '../../src/agents/agents.ts'
import { createAgents } from '../../src/agents/create-agents.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { JournalUnavailable } from '../../src/persona/refusals.ts'
import { createWebChannel } from '../../src/web-channel.ts'
import { replyDeps } from '../chat-only-models.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { unsealed } from '../diary/unseal.ts'
import type { Chance } from '../random.ts'
import type { Disk } from './disk.ts'
import { drain, freeze, home } from './frozen-time.ts'
import { createMinds, type Mood } from './mind.ts'
import { createWatch, type Watch } from './watch.ts'

export interface World {
  readonly personas: PersonaStore
  readonly agents: Agents
  readonly clock: FakeClock
  readonly inTurn: KeyedMutex['run']
  /** Commits that its bus published. */
  readonly watch: Watch
  /** Closes in the same order as the daemon. */
  close(): Promise<void>
  /** Kills the process immediately. */
  die(power: boolean): Promise<void>
}

interface Deps {
  readonly disk: Disk
  readonly chance: Chance
  /** The models, or the current behaviour of random ones. */
  readonly minds: Models | Mood
  /** Runs the work that follows a start; by default to its end. */
  readonly settle?: () => Promise<unknown>
  readonly start: number
  readonly zone: string
  readonly newId: () => string
  readonly wrong: (problem: string) => void
}

export const openWorld = ({
  disk,
  chance,
  minds,
  settle = drain,
  start,
  zone,
  newId,
  wrong,
}: Deps): World => {
  const clock = createFakeClock(start, zone, settle)
  disk.wait = clock.wait
  const catalog = disk.catalog.open()
  const bus = createBus()
  const watch = createWatch(wrong)
  bus.commits.subscribe(watch.took)
  const log = quietLog(wrong)
  const random = (bytes: number) => {
    const dice = Buffer.alloc(bytes)
    for (let index = 0; index < bytes; index += 4)
      dice.writeUInt32LE(Math.floor(chance.next() * 2 ** 32), index)
    return dice
  }
  const journals = openPersonaJournals({
    stores: disk.stores,
    witness: async (id: PersonaId) => catalog.get(id)?.head,
    random,
  })
  const personas = createPersonaStore({ home, journals, catalog, bus, clock, stopwatch: clock, log })
  const web = createWebChannel({
    isRunning: (id) => agents.isRunning(id),
    onChange: (id) => bus.sign({ type: 'presence', id }),
  })
  const models = 'mind' in minds ? minds : createMinds({ chance, clock, mood: minds, wrong })
  const agents = createAgents({
    ...replyDeps,
    personas,
    diaries: unsealed(personas),
    signedHeads: null,
    getOutsideTools: async () => [],
    pageReader: null,
    webSearch: null,
    subscribedCalendars: null,
    mailboxes: null,
    models,
    bus,
    web,
    clock,
    stopwatch: clock,
    log,
    random: chance.next,
    newId,
  })
  return {
    personas,
    agents,
    clock,
    inTurn: createKeyedMutex().run,
    watch,
    close: async () => {
      await agents.close()
      await personas.close()
      await catalog.close()
    },
    die: async (power) => {
      freeze()
      clock.halt()
      // Finishes its current turn of the event loop before another process gets the disk.
      await drain(0)
      freeze()
      await disk.cutPower(power)
    },
  }
}

/** Errors that may be logged on a bad disk; any other is a fault of the daemon. */
const expectedErrors = new Set([
  'JournalUnavailable',
  'TookTooLong',
  'Unavailable',
  'InDoubt',
  'Damaged',
  'Refused',
  'ModelError',
  'MindError',
])

const quietLog = (wrong: (problem: string) => void): DiscreetLog => {
  const look = ({ err, id }: Fields, sentence: string) => {
    if (err instanceof JournalUnavailable || !(err instanceof Error) || expectedErrors.has(err.name)) return
    if (err.message === 'the service is closing') return
    // From a simulated model that throws an error which no adapter throws.
    if (sentence === 'a model ended with an unknown error') return
    wrong(`the log reports about ${id}: ${sentence}: ${err.stack}`)
  }
  const mask = (text: string) => text
  return {
    debug: () => {},
    info: () => {},
    warn: look,
    error: look,
    hide: () => {},
    mask,
    droppedLines: () => 0,
  }
}
