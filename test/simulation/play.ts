/** Plays one seed: a daemon runs through random steps, recovers, and is compared with its guarantees. */
import { createHash } from 'node:crypto'
import type { PersonaId } from '../../facts/fact-values.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { getWaitingInboxes } from '../../projections/talk.ts'
import { chanceFrom } from '../random.ts'
import { type Ask, create, start, startAsk } from './asks.ts'
import { createDisk } from './disk.ts'
import { drain, freeze, turn } from './frozen-time.ts'
import { compare } from './ledger.ts'
import type { Mood } from './mind.ts'
import { createDrawer, describeStep, type Step } from './steps.ts'
import type { Watch } from './watch.ts'
import { openWorld, type World } from './world.ts'

export interface PlayResult {
  /** The steps, one line each. The number in brackets limits the event-loop turns after the step. */
  readonly steps: readonly string[]
  /** Violated invariants; empty if there are none. */
  readonly wrong: readonly string[]
  readonly commits: number
  readonly crashes: number
  readonly faults: number
  /** Equal for the same seed. */
  readonly digest: string
}

/** Loads the modules that the first start imports, because that takes real time. */
export const warmUp = async (): Promise<void> => {
  await Promise.all([
    import('../../src/agents/agent.ts'),
    import('../../src/mind/tools/tool-table.ts'),
    import('../../src/search/find.ts'),
    import('../../src/search/rank.ts'),
    import('../../src/search/life-index.ts'),
    import('../../packages/kit/time/local-time.ts'),
    import('../../packages/care/danger-words.ts'),
    import('../../packages/care/help.ts').then(({ loadHelp }) => loadHelp()),
  ])
  const setup = createSetup(1)
  await setup.wake()
  freeze()
}

export const play = async (seed: number): Promise<PlayResult> => {
  const setup = createSetup(seed)
  const countRejection = (error: unknown) =>
    setup.wrong.push(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}`)
  process.on('unhandledRejection', countRejection)
  try {
    await setup.run()
  } catch (error) {
    setup.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await setup.end()
    process.off('unhandledRejection', countRejection)
  }
  return setup.played()
}

const createSetup = (seed: number) => {
  const wrong: string[] = []
  const steps: string[] = []
  const fail = (problem: string) => void wrong.push(problem)
  const chance = chanceFrom(seed)
  const drawer = createDrawer(chanceFrom(seed ^ 0x5eed))
  const mood: Mood = { endpoint: true, talk: true, trouble: chance.pick([0, 0, 0.2, 0.5]) }
  const zone = chance.pick(['Europe/Berlin', 'UTC', 'America/New_York', 'Pacific/Auckland'])
  const digest = createHash('sha256')
  const watches: Watch[] = []
  const requests: Ask[] = []
  let ids = 0
  let crashes = 0

  const open = (): World => {
    const newId = () => (++ids).toString(16).padStart(8, '0')
    const currentWorld = world
      ? world.clock.now()
      : Date.UTC(2026, chance.pickBetween(0, 11), chance.pickBetween(1, 28), chance.pickBetween(0, 23))
    const openedWorld = openWorld({
      disk,
      chance,
      minds: mood,
      start: currentWorld,
      zone,
      newId,
      wrong: fail,
    })
    watches.push(openedWorld.watch)
    return openedWorld
  }
  let world: World | undefined
  const disk = createDisk(chanceFrom(seed ^ 0xd15c))
  world = open()
  world.agents.boot()
  let current: World = world

  /** Waits for a promise while the clock advances, one hour at most. */
  const waitFor = async <T>(work: Promise<T>, label: string): Promise<T | undefined> => {
    let result: { readonly value: T } | undefined
    let failure: unknown
    work.then(
      (value) => {
        result = { value }
      },
      (error: unknown) => {
        failure = error
      },
    )
    await drain()
    for (let tries = 0; !result && failure === undefined && tries < 60; tries++)
      await current.clock.advance(60_000)
    if (failure !== undefined) fail(`${label}: ${failure instanceof Error ? failure.stack : String(failure)}`)
    else if (!result) fail(`${label}: does not end`)
    return result?.value
  }

  const openAgain = () => {
    for (const ask of requests) if (ask.outcome === 'open') ask.outcome = 'unsure'
    world = open()
    current = world
  }
  const reopen = () => {
    openAgain()
    current.agents.boot()
  }
  const die = async (power: boolean) => {
    crashes++
    await current.die(power)
    reopen()
  }
  const close = async () => {
    // This ends even on a hanging disk, because hanging calls take minutes only.
    await waitFor(current.close(), 'closing')
    freeze()
    await disk.free()
  }
  const snapshot = (id: PersonaId) =>
    current.personas
      .read(id, async ({ journal }) => {
        const { head } = journal
        let state: Persona | undefined
        for await (const entry of journal.read({ upTo: head.seq })) state = evolve(state, entry)
        await journal.keepSnapshot({ projector: 'persona', version: personaVersion, head, state })
      })
      .catch(() => undefined)

  const take = async (step: Step): Promise<unknown> => {
    switch (step.type) {
      case 'ask':
        for (const ask of step.requests) {
          requests.push(startAsk(ask, current, fail))
          if (step.requests.length < 10) await drain(chance.pickBetween(0, 3))
        }
        return undefined
      case 'time':
        return current.clock.advance(step.ms)
      case 'leap':
        current.clock.leap(step.ms)
        return current.clock.advance(60_000)
      case 'trouble':
        if (step.trouble) disk.troubles.push(step.trouble)
        else disk.troubles = []
        return undefined
      case 'mood':
        mood.endpoint = step.endpoint
        mood.talk = step.talk
        mood.trouble = step.trouble
        return undefined
      case 'die':
        return die(step.power)
      case 'close':
        await close()
        return reopen()
      case 'snapshot':
        void snapshot(step.id)
        return undefined
    }
  }

  /** Checks an idle daemon: running personas are awake, and deleted ones are removed. */
  const look = () => {
    for (const id of drawer.ids) {
      const listEntry = current.personas.getRow(id)
      const latest = current.watch.latest(id)
      const isDeleted =
        latest?.self.deleted ||
        requests.some(
          (ask) => ask.id === id && ask.description.startsWith('delete') && ask.outcome === 'acknowledged',
        )
      if (isDeleted && (listEntry || current.agents.isRunning(id))) fail(`${id} is deleted and still exists`)
      if (!current.agents.isRunning(id)) continue
      if (!listEntry) fail(`${id} runs and is not listed`)
      if (latest && !latest.life.awake) fail(`${id} runs but is not awake`)
    }
  }

  const live = async () => {
    const count = chance.pickBetween(12, 26)
    for (let n = 0; n < count && wrong.length === 0; n++) {
      const step = drawer.next()
      const turns = chance.next() < 0.5 ? undefined : chance.pickBetween(0, 30)
      steps.push(`${describeStep(step)}${turns === undefined ? '' : ` (${turns})`}`)
      await take(step)
      await drain(turns)
      await turn()
      if (turns === undefined) look()
    }
  }

  const restless = ({ talk, plans, days }: Persona): boolean =>
    talk.turn !== null ||
    getWaitingInboxes(talk).length > 0 ||
    talk.greeting === 'asked' ||
    plans.due.length > 0 ||
    days.sleeping !== null

  /** Repairs the disk and the models, starts all personas, and waits until no work is pending. */
  const heal = async () => {
    steps.push('healed')
    disk.troubles = []
    mood.endpoint = true
    mood.talk = true
    mood.trouble = 0
    await waitFor(current.personas.ready, 'reading the journals')
    // A persona that could not be read at a start and is in no catalog is found at the next start.
    if ((await disk.stores.ids()).some((id) => !current.personas.getRow(id))) {
      await close()
      reopen()
      await waitFor(current.personas.ready, 'reading them again')
    }
    for (let round = 0; round < 30 && wrong.length === 0; round++) {
      await current.clock.advance(round < 3 ? 70_000 : 300_000)
      let quiet = true
      for (const { self } of current.personas.all()) {
        // A gate in doubt recovers at the next command, here one without effect.
        const emptyCommand = current.personas.execute(self.id, { type: 'RecoverOrgan', slot: 'ear' }, 'host')
        await waitFor(
          emptyCommand.catch(() => undefined),
          `a command without effect to ${self.id}`,
        )
        const persona = await waitFor(
          current.personas.read(self.id, async (reading) => reading.persona).catch(() => undefined),
          `reading ${self.id}`,
        )
        if (!current.agents.isRunning(self.id)) {
          requests.push(startAsk(start(self.id, 'AskStart'), current, fail))
          quiet = false
        } else if (persona && restless(persona)) quiet = false
      }
      if (quiet && requests.every(({ outcome }) => outcome !== 'open')) break
    }
    await drain()
    await turn()
    look()
    for (const { description, outcome } of requests) if (outcome === 'open') fail(`${description}: no answer`)
  }

  return {
    wrong,
    end: () => current.die(false),
    wake: async () => {
      requests.push(startAsk(create('first'), current, fail))
      const end = Date.now() + 30_000
      while (!current.agents.isRunning('first') && Date.now() < end) {
        await drain()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
    run: async () => {
      await live()
      if (wrong.length === 0) await heal()
      if (wrong.length > 0) return
      const healedWatch = current.watch
      await close()
      openAgain()
      await waitFor(current.personas.ready, 'opening')
      await waitFor(
        compare({
          world: current,
          healed: healedWatch,
          watches,
          asks: requests,
          ids: drawer.ids,
          digest,
          wrong: fail,
        }),
        'comparing',
      )
      for (const id of await disk.stores.ids())
        if (!current.personas.getRow(id)) fail(`${id} is on disk and is not listed`)
    },
    played: (): PlayResult => ({
      steps,
      wrong,
      commits: watches.reduce((sum, { count }) => sum + count, 0),
      crashes,
      faults: disk.faults(),
      digest: digest.digest('hex'),
    }),
  }
}
