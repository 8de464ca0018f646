/**
 * One process of a simulated daemon: everything real from the gate to the turns, on a disk that outlives it.
 */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { createKeyedMutex, type KeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { DiscreetLog, Fields } from '../../packages/kit/log.ts'
import type { Models } from '../../packages/models/models.ts'
import type { Agents } from '../../src/agents/agents.ts'
import { createAgents } from '../../src/agents/create-agents.ts'
import { createBus } from '../../src/bus.ts'
import { openPersonas } from '../../src/persona/create-persona-store.ts'
import type { Personas } from '../../src/persona/persona-store.ts'
import { JournalUnavailable } from '../../src/persona/refusals.ts'
import { createWebChannel } from '../../src/web-channel.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { unsealed } from '../diary/unsealed.ts'
import type { Chance } from '../random.ts'
import { plain } from '../speechless.ts'
import type { Disk } from './disk.ts'
import { createMinds, type Mood } from './mind.ts'
import { drain, freeze, home } from './still.ts'
import { createWatch, type Watch } from './watch.ts'

export interface World {
  readonly personas: Personas
  readonly agents: Agents
  readonly clock: FakeClock
  readonly inTurn: KeyedMutex['run']
  /** What its bus told. */
  readonly watch: Watch
  /** In order, as the daemon does. */
  close(): Promise<void>
  /** It is dead where it stands. */
  die(power: boolean): Promise<void>
}

interface Deps {
  readonly disk: Disk
  readonly chance: Chance
  /** The minds that it may have, or how those of chance are at this moment. */
  readonly minds: Models | Mood
  /** Lets happen what follows from a waking; to the end by default. */
  readonly settle?: () => Promise<unknown>
  readonly start: number
  readonly zone: string
  readonly newId: () => string
  readonly wrong: (what: string) => void
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
    for (let at = 0; at < bytes; at += 4) dice.writeUInt32LE(Math.floor(chance.next() * 2 ** 32), at)
    return dice
  }
  const journals = openJournals({
    stores: disk.stores,
    witness: async (id: PersonaId) => catalog.get(id)?.head,
    random,
  })
  const personas = openPersonas({ home, journals, catalog, bus, clock, stopwatch: clock, log })
  const web = createWebChannel({
    running: (id) => agents.running(id),
    changed: (id) => bus.sign({ type: 'presence', id }),
  })
  const models = 'mind' in minds ? minds : createMinds({ chance, clock, mood: minds, wrong })
  const agents = createAgents({
    ...plain,
    personas,
    diaries: unsealed(personas),
    outside: async () => [],
    pageReader: null,
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
      // What it was about to do in this turn of the loop is done before its disk is another's.
      await drain(0)
      freeze()
      await disk.cut(power)
    },
  }
}

/** What a log may say on a bad disk; anything else is a fault of the daemon. */
const expected = new Set([
  'JournalUnavailable',
  'TookTooLong',
  'Unavailable',
  'InDoubt',
  'Damaged',
  'Refused',
  'ModelError',
  'MindError',
])

const quietLog = (wrong: (what: string) => void): DiscreetLog => {
  const look = ({ err, id }: Fields, sentence: string) => {
    if (err instanceof JournalUnavailable || !(err instanceof Error) || expected.has(err.name)) return
    if (err.message === 'the service is closing') return
    // Of a Mind that throws what no adapter throws.
    if (sentence === 'a model ended with an unknown error') return
    wrong(`the log says of ${id}: ${sentence}: ${err.stack}`)
  }
  return { debug: () => {}, info: () => {}, warn: look, error: look, hide: () => {}, droppedLines: () => 0 }
}
