/** Messages that a persona writes by itself, under kills, clock jumps, and removed and erased messages. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Seq } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { MindError } from '../../packages/models/mind.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import {
  createWordParts,
  filterFacts,
  hangs,
  has,
  openStage,
  type Script,
  type Stage,
} from '../agents/stage.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { type Chance, chanceFrom, getSeed } from '../random.ts'
import { createInitiativeStory } from '../simulation/story-initiative.ts'

const { SEED } = process.env
const lives = SEED ? 1 : scaleSize(60, 20)
const first = Number(SEED) || getSeed('initiative')
const stepsPerLife = 30
const hour = 3_600_000
const zone = 'Europe/Berlin'
const web = { type: 'web', name: 'ada' } as const

/** A model that writes, has nothing to say, hangs, or fails. */
const createScript = (chance: Chance): Script =>
  async function* (prompt, signal) {
    if (prompt.system.includes('# Your answer'))
      return yield* createWordParts('{"operations": [], "carry": "", "summary": ""}')
    if (!prompt.system.includes('Something that you noted is due.')) return yield* createWordParts('Yes.')
    const dice = chance.next()
    if (dice < 0.15) yield* hangs(signal)
    if (dice < 0.25) throw new MindError('refused', 'Not these words.')
    if (dice < 0.35) throw new MindError('unreachable', 'The line is dead.')
    yield* createWordParts(dice < 0.55 ? 'NOTHING' : `How was it, ${chance.pickBetween(1, 999)}?`)
  }

interface Life {
  stage: Stage
  clock: FakeClock
  home: string | undefined
  /** Positions of messages that were erased. */
  readonly erased: Set<Seq>
  reasons: number
}

const open = async (script: Script, now: number, home: string | undefined) => {
  let stage: Stage | null = null
  const clock = createFakeClock(now, zone, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2))
    await stage?.quiet()
  })
  stage = await openStage({ script, clock, ...(home !== undefined && { home }) })
  return { stage, clock }
}

const note = async (life: Life, chance: Chance, sources: readonly Seq[]) => {
  const facts = await life.stage.facts()
  await life.stage
    .execute({
      type: 'Consolidate',
      life: filterFacts(facts, 'Woke').length,
      after: filterFacts(facts, 'ContextCarried').at(-1)?.upTo ?? 0,
      upTo: facts.length,
      lessons: [],
      carry: null,
      summary: null,
      borrowed: [],
      calls: [],
      initiatives: sources.map((source) => ({
        type: 'PlanInitiative',
        id: `i${++life.reasons}`,
        kind: chance.pick(['follow-up', 'date', 'wish']),
        at: life.clock.now() + chance.pickBetween(0, 5 * 60) * 60_000,
        reason: `Ask about thing ${life.reasons}.`,
        sources: [source],
        yearly: chance.next() < 0.2,
      })),
    })
    // A consolidation of its own may have come first.
    .catch(() => undefined)
}

const say = async ({ stage }: Life, words: string) => {
  const before = filterFacts(await stage.facts(), 'TurnEnded').length
  await stage.hear(words)
  await stage.until('an answer', has('TurnEnded', before + 1))
}

const listHeard = (facts: readonly PersonaEvent[]): readonly Seq[] =>
  facts.flatMap(({ type }, n) => (type === 'MessageHeard' ? n + 1 : []))

const takeStep = async (life: Life, chance: Chance, script: Script, n: number) => {
  const { stage, clock } = life
  const dice = chance.next()
  const heard = listHeard(await stage.facts())
  if (n === 0 || dice < 0.25) {
    await say(life, `Thing ${n} is tomorrow.`)
    const now = listHeard(await stage.facts())
    await note(life, chance, now.slice(-chance.pickBetween(1, 3)))
    return
  }
  if (dice < 0.6) return clock.advance(chance.pickBetween(5, 150) * 60_000)
  if (dice < 0.7) return clock.leap(chance.pickBetween(-48 * 60, 48 * 60) * 60_000)
  if (dice < 0.8) {
    const seq = heard[chance.pickBetween(0, heard.length - 1)] ?? 1
    if (life.erased.has(seq)) return
    await stage.erase([seq])
    life.erased.add(seq)
    return
  }
  if (dice < 0.85)
    return void (await stage
      .execute({
        type: 'HideMessage',
        message: heard[chance.pickBetween(0, heard.length - 1)] ?? 1,
        of: { inbox: web },
        hidden: true,
      })
      .catch(() => undefined))
  const copy = await stage.crashed()
  const now = clock.now()
  await stage.close()
  if (life.home !== undefined) await rm(life.home, { recursive: true, force: true })
  Object.assign(life, { home: copy, ...(await open(script, now, copy)) })
}

/** Reads the story of a life. Returns the number of messages that the persona wrote by itself. */
const readLife = (facts: readonly PersonaEvent[], wrong: (problem: string) => void): number => {
  const story = createInitiativeStory((seq, problem) => wrong(`at ${seq}: ${problem}`))
  let persona: Persona | undefined
  for (const [n, event] of facts.entries()) {
    const seq = n + 1
    const next = facts[seq]
    story.look({ seq, event }, persona, () => (next ? [{ seq: seq + 1, event: next }] : []))
    persona = evolve(persona, { seq, at: 0, event })
  }
  return filterFacts(facts, 'InitiativeSettled').filter(({ outcome }) => outcome === 'spoke').length
}

test('a persona that writes by itself sends nothing twice, and nothing after an erasure', async () => {
  let messages = 0
  for (let seed = first; seed < first + lives; seed++) {
    const chance = chanceFrom(seed)
    const script = createScript(chance)
    const start = Date.parse('2026-11-23T10:15:00+01:00')
    const life: Life = {
      ...(await open(script, start, undefined)),
      home: undefined,
      erased: new Set(),
      reasons: 0,
    }
    await life.stage.execute({
      type: 'ChooseInitiative',
      level: 'lively',
      quietFrom: '23:00',
      quietUntil: '06:00',
    })
    const wrong: string[] = []
    for (let n = 0; n < stepsPerLife; n++) await takeStep(life, chance, script, n)
    await life.clock.advance(3 * hour)
    messages += readLife(await life.stage.facts(), (problem) => wrong.push(problem))
    await life.stage.close()
    if (life.home !== undefined) await rm(life.home, { recursive: true, force: true })
    assert.equal(wrong, [], `SEED=${seed}: ${wrong.join('\n')}`)
  }
  assert.ok(messages > 0, 'some messages were sent')
  printFigures(
    'initiative',
    `${lives} lives from ${first}`,
    `${stepsPerLife} steps each`,
    `${messages} messages`,
  )
})

test.run()
