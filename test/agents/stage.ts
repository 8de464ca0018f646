/** A persona on a real disk with a scripted model and a fake clock. */
import { cp, rm } from 'node:fs/promises'
import type { Organ, Seq, Slot } from '../../facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import type { Stores } from '../../journal/log/store.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { type Mind, MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { ModelError, type Models } from '../../packages/models/models.ts'
import type { Ear, Made, Takes } from '../../packages/models/sense-models.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Agents } from '../../src/agents/agents.ts'
import type { WiringDeps } from '../../src/agents/create-agent-deps.ts'
import { createAgents } from '../../src/agents/create-agents.ts'
import { createBus, type Sign } from '../../src/bus.ts'
import { oneWordAsked } from '../../src/mind/ping-model.ts'
import type { Tool } from '../../src/mind/tools/tool.ts'
import { allTools } from '../../src/mind/tools/tool-table.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import { createWebChannel, toWebChannel } from '../../src/web-channel.ts'
import { chatOnlyModels, replyDeps } from '../chat-only-models.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { tempHome } from '../daemon.ts'
import { unsealed } from '../diary/unseal.ts'

export const filterFacts = <T extends EventType>(
  facts: readonly PersonaEvent[],
  type: T,
): readonly EventOf<T>[] => facts.filter((event): event is EventOf<T> => event.type === type)
export const has =
  (type: EventType, count = 1) =>
  (facts: readonly PersonaEvent[]): boolean =>
    filterFacts(facts, type).length >= count

export type Script = (
  prompt: Prompt,
  signal: AbortSignal,
  call: number,
) => AsyncIterable<Part> | Iterable<Part>

export const createWordParts = (...texts: readonly string[]): readonly Part[] => [
  ...texts.map((text) => ({ type: 'words', text }) as const),
  { type: 'end', usage: { input: 10, output: texts.length } },
]
export const calls = (name: string, input: unknown, text = ''): readonly Part[] => [
  ...(text ? [{ type: 'words', text } as const] : []),
  { type: 'call', call: { id: `c-${name}-${JSON.stringify(input).length}`, name, input } },
  { type: 'end', usage: { input: null, output: null } },
]
/** Never answers. Ends with the signal. */
export const hangs = async function* (signal: AbortSignal): AsyncGenerator<Part> {
  signal.throwIfAborted()
  await new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}

/** Returns a promise that a script waits for until the test opens it. */
export const gate = (): { readonly whenOpened: Promise<void>; open(): void } => {
  let open = () => {}
  const gateOpened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { whenOpened: gateOpened, open: () => open() }
}

export interface Stage {
  readonly agents: Agents
  readonly clock: FakeClock
  readonly signs: Sign[]
  readonly prompts: Prompt[]
  /** True if the models of the Mind are listed and probes are answered. Probes do not run the script. */
  mindAnswers: boolean
  /** Runs between the commit of the start and the creation of the agent. */
  onWake: () => Promise<unknown>
  execute(command: Command): Promise<unknown>
  hear(content: string, key?: string): Promise<unknown>
  facts(): Promise<readonly PersonaEvent[]>
  /** Resolves when `test` returns true. Rejects after thirty seconds. */
  until(label: string, test: (facts: readonly PersonaEvent[]) => boolean): Promise<readonly PersonaEvent[]>
  /** Resolves when no read or write of the agent is pending. */
  quiet(): Promise<void>
  /** Like `until`, while advancing the clock a minute at a time, at most an hour. */
  waitForFacts(
    label: string,
    test: (facts: readonly PersonaEvent[]) => boolean,
  ): Promise<readonly PersonaEvent[]>
  /** Erases the facts and those derived from them. */
  erase(seqs: readonly Seq[]): Promise<unknown>
  /** Returns a copy of the home as after a SIGKILL at this moment. */
  crashed(): Promise<string>
  close(): Promise<void>
}

/** Scripts of the other organs. Organs without a script do not exist. */
export interface Scripted {
  /** By model name. */
  readonly minds?: Readonly<Record<string, Script>>
  readonly acceptedFiles?: Takes
  readonly hear?: Ear['hear']
  readonly speaks?: (text: string) => Promise<Made> | Made
  readonly draws?: (wish: string) => Promise<Made> | Made
  readonly documents?: Partial<Documents>
  readonly search?: WiringDeps['search']
  readonly organs?: Readonly<Partial<Record<Slot, Organ>>>
  /** The context window of the Mind in tokens. */
  readonly contextWindow?: number
  /** True if the Mind is a model on this machine. */
  readonly isOnThisMachine?: boolean
  readonly dailyTokens?: number
  readonly keepCallsDays?: number
  /** Returns the tools of its tool servers. */
  readonly outside?: (persona: Persona) => Promise<readonly Tool[]>
}

export interface StagedScript extends Scripted {
  readonly script: Script
  readonly home?: string
  readonly clock?: FakeClock
  readonly tools?: readonly Tool[]
  readonly stores?: Stores
  /** Default: real time. */
  readonly stopwatch?: Stopwatch
  /**
   * Called before each step of the daemon's own work, and may throw: `execute BeginTurn`, `read`, `sign
   * delta`, `zone`, `outside`, `budget`, `prices`, `keepPart`, `isSound`.
   */
  readonly inject?: (step: string) => void
}

const id = 'ada'

export const openStage = async ({
  script,
  home: givenHome,
  clock = createFakeClock(),
  tools = allTools,
  stores,
  stopwatch,
  inject = () => {},
  ...scripted
}: StagedScript): Promise<Stage & { readonly home: string }> => {
  const home = givenHome ?? (await tempHome())
  const log = await createLog({ level: 'silent' })
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: stores ?? (await openHomeStores(home)),
    witness: async (name) => catalog.get(name)?.head,
  })
  const bus = createBus()
  const personas = createPersonaStore({ home, journals, catalog, bus, clock, log })
  const web = createWebChannel({ isRunning: (name) => agents.isRunning(name), onChange: () => undefined })
  const prompts: Prompt[] = []
  const signs: Sign[] = []
  bus.signs.subscribe((sign) => signs.push(sign))
  const mind: Mind = {
    think: async function* (prompt, signal) {
      if (prompt.messages.at(-1)?.content === oneWordAsked) {
        if (!stage.mindAnswers) throw new MindError('unreachable', 'Nobody answers.')
        yield* createWordParts('ok')
        return
      }
      prompts.push(prompt)
      yield* script(prompt, signal, prompts.length)
    },
  }
  const pendingCalls = new Set<Promise<unknown>>()
  const lateStore: PersonaStore = {
    ...personas,
    read: async (name, look) => {
      inject('read')
      const pendingLook = personas.read(name, look)
      pendingCalls.add(pendingLook)
      return pendingLook.finally(() => pendingCalls.delete(pendingLook))
    },
    keepPart: async (name, bytes) => {
      inject('keepPart')
      return personas.keepPart(name, bytes)
    },
    isSound: async (name, media) => {
      inject('isSound')
      return personas.isSound(name, media)
    },
    execute: async (name, command, author) => {
      inject(`execute ${command.type}`)
      const executing = personas.execute(name, command, author)
      pendingCalls.add(executing)
      const executed = await executing.finally(() => pendingCalls.delete(executing))
      if (command.type === 'Wake') await stage.onWake()
      return executed
    },
  }
  const models = fakeModels(mind, scripted, () => stage.mindAnswers)
  const agents = createAgents({
    personas: lateStore,
    models: {
      ...models,
      getContextWindow: async (...args) => {
        inject('budget')
        return scripted.contextWindow ?? models.getContextWindow(...args)
      },
    },
    ...replyDeps,
    prices: {
      getPrice: async (...args) => {
        inject('prices')
        return replyDeps.prices.getPrice(...args)
      },
    },
    documents: { ...replyDeps.documents, ...scripted.documents },
    search: scripted.search ?? replyDeps.search,
    dailyTokens: scripted.dailyTokens ?? null,
    keepCallsDays: scripted.keepCallsDays ?? 30,
    getOutsideTools: async (persona) => {
      inject('outside')
      return (await scripted.outside?.(persona)) ?? []
    },
    pageReader: null,
    webSearch: null,
    subscribedCalendars: null,
    mailboxes: null,
    diaries: unsealed(personas),
    signedHeads: null,
    bus: {
      ...bus,
      sign: (sign) => {
        inject(`sign ${sign.type}`)
        bus.sign(sign)
      },
    },
    clock: {
      ...clock,
      get zone() {
        inject('zone')
        return clock.zone
      },
    },
    web,
    log,
    tools,
    random: () => 0,
    stopwatch: stopwatch ?? systemClock(),
  })
  const quiet = async () => {
    for (let rounds = 0; rounds < 3; rounds++) {
      await new Promise((resolve) => setImmediate(resolve))
      while (pendingCalls.size > 0) await Promise.allSettled(pendingCalls)
    }
  }
  const facts = () =>
    personas.read(id, async ({ journal }) => {
      const all: PersonaEvent[] = []
      for await (const { event } of journal.read({})) all.push(event)
      return all
    })
  await personas.ready
  if (!personas.getRow(id)) {
    const thinkingOrgan = { model: 'embedded/test', provider: null, url: null, key: null }
    const organs = { thinking: thinkingOrgan, ...scripted.organs }
    await personas.create({
      type: 'CreatePersona',
      id,
      name: 'Ada',
      birthday: '2026-11-23',
      recipient: 'age1',
      organs,
    })
  } else agents.boot()

  const closeStage = async () => {
    await personas.close()
    await catalog.close()
  }
  const stage: Stage & { home: string } = {
    home,
    agents,
    clock,
    signs,
    prompts,
    mindAnswers: true,
    onWake: async () => undefined,
    execute: (command) => personas.execute(id, command, 'person'),
    hear: (content, key) =>
      personas.execute(
        id,
        { type: 'Hear', channel: toWebChannel(id), content, media: null, key: key ?? null },
        'person',
      ),
    facts,
    quiet,
    until: async (label, test) => {
      const end = Date.now() + 30_000
      for (;;) {
        const all = await facts()
        if (test(all)) return all
        if (Date.now() > end) throw new Error(`${label} did not happen: ${JSON.stringify(all.slice(-6))}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    waitForFacts: async (label, test) => {
      for (let minute = 0; minute < 60; minute++) {
        const all = await facts()
        if (test(all)) return all
        await clock.advance(60_000)
        // A slow disk may need longer than the minutes of the clock take.
        await Promise.race([quiet(), new Promise((resolve) => setTimeout(resolve, 200))])
      }
      throw new Error(`${label} did not happen within an hour`)
    },
    erase: (seqs) => agents.rest(id, () => personas.eraseWords(id, seqs, true, async () => undefined)),
    crashed: async () => {
      for (let tries = 0; ; tries++) {
        const copy = await tempHome()
        try {
          await cp(home, copy, { recursive: true })
          return copy
        } catch (error) {
          // LevelDB may compact its tables and delete old ones during the copy.
          if ((error as { code?: unknown }).code !== 'ENOENT' || tries === 9) throw error
          await rm(copy, { recursive: true, force: true })
        }
      }
    },
    close: async () => {
      await agents.close()
      await closeStage()
      if (givenHome === undefined) await rm(home, { recursive: true, force: true })
    },
  }
  await stage.until('waking', (all) => all.some(({ type }) => type === 'Woke'))
  return stage
}

const fakeModels = (
  mind: Mind,
  { minds = {}, acceptedFiles, hear, speaks, draws, isOnThisMachine = false }: Scripted,
  open: () => boolean,
): Models => ({
  prepare: async () => undefined,
  wrap: async () => undefined,
  unwrap: async () => undefined,
  probe: async () => {
    if (!open()) throw new ModelError('Nobody answers.')
  },
  mind: ({ model }) => {
    const script = minds[model]
    if (!script) return mind
    let call = 0
    return {
      async *think(prompt, signal) {
        call++
        yield* script(prompt, signal, call)
      },
    }
  },
  ...chatOnlyModels,
  isOnThisMachine: () => isOnThisMachine,
  ...(hear && { ear: () => ({ hear }) }),
  ...(speaks && { mouth: () => ({ speak: async (text) => speaks(text) }) }),
  ...(draws && { imagination: () => ({ draw: async (wish) => draws(wish) }) }),
  ...(acceptedFiles && { getAcceptedFiles: async () => acceptedFiles }),
  names: async () => [],
  close: async () => undefined,
})
