/**
 * Plays a story with a persona of the practice model on an in-memory disk, undisturbed or interrupted at any
 * moment, and returns the resulting journal.
 */
import type { Entry } from '../../facts/persona-journal.ts'
import type { Mind } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { createPractice } from '../../packages/practice-mind/practice.ts'
import type { Persona } from '../../projections/persona.ts'
import { toWebChannel } from '../../src/web-channel.ts'
import { chatOnlyModels } from '../chat-only-models.ts'
import { unusedRecipient } from '../daemon.ts'
import type { Chance } from '../random.ts'
import { createDisk } from '../simulation/disk.ts'
import { drain, freeze, turn } from '../simulation/frozen-time.ts'
import { openWorld, type World } from '../simulation/world.ts'
import { type Step, type Story, zone } from './days-story.ts'

export interface LivedStory {
  readonly persona: Persona
  readonly entries: readonly Entry[]
  /** Violated invariants. */
  readonly wrong: readonly string[]
  /** Number of interruptions by kind. */
  readonly cuts: Readonly<Record<Interruption, number>>
}

export type Interruption = 'killed' | 'power cut' | 'closed' | 'restarted'

export const ada = 'ada'
const minute = 60_000
/** Max number of event-loop turns with activity between two interruptions. */
const maxPauses = [8, 40, 250] as const

const practice = createPractice()
/**
 * It remembers the user's statements by itself, except those about boxes: only consolidation learns these.
 */
const practiceMind: Mind = {
  async *think(prompt, signal, stepsLeft) {
    const last = prompt.messages.at(-1)
    if (prompt.tools.length === 0 || last?.role !== 'user' || !last.content.startsWith('Remember that box'))
      yield* practice.think(prompt, signal, stepsLeft)
    else
      yield* [
        { type: 'words', text: 'A box, I see.' } as const,
        { type: 'end', usage: { input: null, output: null } } as const,
      ]
  },
}
const models: Models = {
  ...chatOnlyModels,
  prepare: async () => undefined,
  wrap: async () => undefined,
  unwrap: async () => undefined,
  probe: async () => undefined,
  mind: () => practiceMind,
  names: async () => [],
  close: async () => undefined,
}

/**
 * `cutting` decides when and how the persona is interrupted; null for never. `lag` decides the delays of the
 * disk.
 */
export const liveThrough = async (story: Story, cutting: Chance | null, lag: Chance): Promise<LivedStory> => {
  const wrong: string[] = []
  const cuts = { killed: 0, 'power cut': 0, closed: 0, restarted: 0 }
  const disk = createDisk(lag)
  let ids = 0
  let peace = Number.POSITIVE_INFINITY
  /** Number of interruptions since the last finished step of the story. */
  let cutCount = 0
  /** The last night that was considered for an interruption. */
  let lastNight = 0
  /** The interruption that has to be played next. */
  let pendingEnd: Exclude<Interruption, 'restarted'> | null = null

  /** If the next interruption came before the persona has read the journal, it would never make progress. */
  const nextPeace = () => {
    const patience = 10 * Math.max(0, cutCount - 20)
    return cutting ? cutting.pickBetween(1, cutting.pick(maxPauses)) + patience : Number.POSITIVE_INFINITY
  }

  /** Nights are short: every other one is interrupted. */
  const nightmare = () => {
    const night = world.watch.latest(ada)?.days.sleeping ?? 0
    if (cutting && night > lastNight && cutting.next() < 0.5) peace = cutting.pickBetween(1, 10)
    lastNight = Math.max(lastNight, night)
  }
  /** A turn may be open in which the process was killed: the commit may be published later, or never. */
  let wasKilledInTurn = false
  /**
   * A turn in which the daemon was killed twice is given up with a message of its own. Therefore the second
   * interruption of a turn is an orderly one.
   */
  const orderly = (drawnEnd: Interruption): Interruption => {
    if (drawnEnd === 'restarted') return drawnEnd
    const latest = world.watch.latest(ada)
    if (latest)
      wasKilledInTurn = latest.talk.turn !== null && (wasKilledInTurn || latest.talk.turn.deaths > 0)
    if (drawnEnd === 'closed' || wasKilledInTurn) return 'closed'
    wasKilledInTurn = true
    return drawnEnd
  }
  const settle = async (maxTurns = Number.POSITIVE_INFINITY): Promise<void> => {
    for (let turnsLeft = maxTurns; turnsLeft > 0 && !pendingEnd; ) {
      nightmare()
      const span = Math.min(turnsLeft, peace, cutting ? 2 : peace)
      const took = await drain(span)
      turnsLeft -= took
      peace -= took
      if (took < span) return
      if (peace > 0) continue
      cutCount++
      peace = nextPeace()
      const drawnEnding =
        cutting?.pick<Interruption>(['killed', 'killed', 'power cut', 'closed', 'restarted', 'restarted']) ??
        'killed'
      const drawnEnd = orderly(drawnEnding)
      cuts[drawnEnd]++
      if (drawnEnd === 'restarted')
        void world.personas.execute(ada, { type: 'AskRestart' }, 'person').catch(() => undefined)
      else pendingEnd = drawnEnd
    }
  }
  const open = (start: number): World =>
    openWorld({
      disk,
      chance: lag,
      minds: models,
      settle,
      start,
      zone,
      newId: () => (++ids).toString(16).padStart(8, '0'),
      wrong: (problem) => wrong.push(problem),
    })
  let world = open(story.startsAtMinute)

  /** Plays the pending interruption and starts the daemon again at the same minute. */
  const revive = async (): Promise<void> => {
    while (pendingEnd) {
      const drawnEnd = pendingEnd
      pendingEnd = null
      if (drawnEnd === 'closed') {
        const closePromise = world.close()
        await drain()
        await closePromise
        freeze()
        await disk.free()
      } else await world.die(drawnEnd === 'power cut')
      world = open(world.clock.now())
      world.agents.boot()
      await settle()
    }
  }

  const passTo = async (time: number): Promise<void> => {
    for (
      let currentTime = world.clock.now();
      currentTime < time && wrong.length === 0;
      currentTime = world.clock.now()
    ) {
      await world.clock.advance(Math.min(time, currentTime - (currentTime % minute) + minute) - currentTime)
      await revive()
    }
  }

  /** Repeats a request until it is acknowledged. */
  const insist = async (
    label: string,
    ask: () => Promise<unknown>,
    alongside: () => Promise<unknown> = async () => undefined,
  ) => {
    for (let tries = 0; tries < 50; tries++) {
      let isDone = false
      let isRefused = false
      ask().then(
        () => {
          isDone = true
        },
        () => {
          isRefused = true
        },
      )
      await alongside()
      await settle()
      await turn()
      await revive()
      if (isDone) return
      if (!isRefused && tries > 40) break
    }
    wrong.push(`${label}: never done`)
  }

  const hear = ({ key, content }: { readonly key: string; readonly content: string }) =>
    insist(content, () =>
      world.personas.execute(
        ada,
        { type: 'Hear', channel: toWebChannel(ada), content, media: null, key },
        'person',
      ),
    )

  const take = async (step: Step): Promise<void> => {
    if (step.type === 'say') return hear(step)
    const { meanwhile } = step
    /**
     * An interrupted night runs again when the persona starts. Requesting it again would run a second one,
     * which would close the messages between the two.
     */
    const hasSlept = () => {
      const last = world.watch.latest(ada)?.days.slept
      return last?.well === true && last.at >= step.at
    }
    const losePower = async () => {
      for (
        let n = 0;
        n < 500 && !hasSlept() && world.watch.latest(ada)?.days.sleeping == null && !pendingEnd;
        n++
      )
        await settle(1)
      if (meanwhile && !pendingEnd)
        void world.personas
          .execute(ada, { type: 'Hear', channel: toWebChannel(ada), media: null, ...meanwhile }, 'person')
          .catch(() => undefined)
    }
    await insist('sleep', async () => hasSlept() || world.agents.sleep(ada), losePower)
    // The client that was interrupted sends its message again.
    if (meanwhile) await hear(meanwhile)
  }

  const thinkingOrgan = { model: 'embedded/practice', provider: null, url: null, key: null }
  const born = {
    id: ada,
    name: 'Ada',
    birthday: '2026-01-01',
    recipient: unusedRecipient,
    organs: { thinking: thinkingOrgan },
  }
  const creating = world.personas.create({ type: 'CreatePersona', ...born })
  await drain()
  await creating
  peace = nextPeace()
  for (const step of story.steps) {
    await passTo(step.at)
    await take(step)
    cutCount = 0
    if (wrong.length > 0) break
  }
  await passTo(story.ends)
  peace = Number.POSITIVE_INFINITY
  await settle()

  const entries: Entry[] = []
  const pendingRead = world.personas.read(ada, async ({ persona, journal }) => {
    for await (const entry of journal.read({})) entries.push(entry)
    return persona
  })
  await drain()
  const persona = await pendingRead
  await world.die(false)
  return { persona, entries, wrong, cuts }
}
