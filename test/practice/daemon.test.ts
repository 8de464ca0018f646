import { readdir, readFile, rm } from 'node:fs/promises'
import { DateTime } from 'luxon'
import { test } from 'uvu'
import { equal, ok } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import {
  type Dialogue,
  type ExpectedCall,
  type ExpectedWords,
  type Ids,
  matches,
  parseDialogue,
} from '../../packages/practice-mind/test/dialogue.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, tempHome } from '../daemon.ts'

type HappenedStep = { readonly type: 'call'; name: string; input: unknown; result: unknown } | ExpectedWords

const toEpoch = (wall: string, zone: string) => DateTime.fromISO(wall, { zone }).toMillis()

/**
 * Plays a dialogue with a real daemon over HTTP. Returns the calls and messages in its journal, one list per
 * turn.
 */
const play = async (dialogue: Dialogue): Promise<readonly (readonly HappenedStep[])[]> => {
  const home = await tempHome()
  const clock = createFakeClock(toEpoch(dialogue.at, dialogue.zone), dialogue.zone)
  const daemon = await startDaemon({ home, clock })
  try {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${daemon.url}/api/persona/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      ok(response.ok, await response.clone().text())
      return JSON.parse(await response.text())
    }
    const { persona } = await post('create', { name: dialogue.persona, thinking_model: 'embedded/practice' })
    const talk = async () =>
      JSON.parse(await (await fetch(`${daemon.url}/api/persona/${persona.id}/conversation`)).text()).messages
        .length
    for (const { at, message: said } of dialogue.turns) {
      const messagesBefore = await talk()
      if (at !== undefined) clock.setTime(toEpoch(at, dialogue.zone))
      if (said !== null) await post(`${persona.id}/read?wait=30`, { message: said })
      else
        for (let i = 0; i < 50 && (await talk()) === messagesBefore; i++)
          await clock.advance(i === 0 ? 0 : 1000)
    }
    await daemon.close()
    return splitTurns(await readFacts(home, persona.id), dialogue.turns.length)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
}

const readFacts = async (home: string, id: string): Promise<readonly PersonaEvent[]> => {
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (name) => catalog.get(name)?.head,
  })
  const journal = await journals.open(id, 'reader')
  const facts: PersonaEvent[] = []
  for await (const { event } of journal.read({})) facts.push(event)
  await journal.close()
  await catalog.close()
  return facts
}

const splitTurns = (facts: readonly PersonaEvent[], turns: number): readonly (readonly HappenedStep[])[] => {
  const all: HappenedStep[][] = []
  for (const fact of facts) {
    if (fact.type === 'TurnBegan') all.push([])
    const turn = all.at(-1)
    if (fact.type === 'ToolCalled')
      turn?.push({ type: 'call', name: fact.name, input: fact.input, result: undefined })
    if (fact.type === 'MessageSpoken') turn?.push({ type: 'words', text: fact.content })
    if (fact.type === 'ToolAnswered') {
      const call = turn?.at(-1)
      if (call?.type === 'call') call.result = fact.output
    }
  }
  equal(all.length, turns)
  return all
}

const matchesExpected = (
  expectedOutcome: ExpectedCall | ExpectedWords,
  happened: HappenedStep | undefined,
  ids: Ids,
): boolean => {
  if (expectedOutcome.type === 'words')
    return happened?.type === 'words' && happened.text === expectedOutcome.text
  if (
    happened?.type !== 'call' ||
    happened.name !== expectedOutcome.name ||
    !matches(expectedOutcome.input, happened.input, ids)
  )
    return false
  return expectedOutcome.result === undefined || matches(expectedOutcome.result, happened.result, ids, true)
}

const folder = new URL('../../packages/practice-mind/test/', import.meta.url)
for (const file of (await readdir(folder)).filter((name) => name.endsWith('.txt'))) {
  const dialogue = parseDialogue(await readFile(new URL(file, folder), 'utf8'))
  test(`plays over the daemon, word for word: ${dialogue.title}`, async () => {
    const turns = await play(dialogue)
    const ids: Ids = new Map()
    for (const [i, { expected, line }] of dialogue.turns.entries()) {
      const happenings = turns[i] ?? []
      const fits =
        expected.length === happenings.length &&
        expected.every((expectation, n) => matchesExpected(expectation, happenings[n], ids))
      ok(fits, `${file}, line ${line}: ${JSON.stringify(happenings, null, 1)}`)
    }
  })
}

test.run()
