// Runs alone: it replaces timers and other globals of Node.

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../facts/persona-journal.ts'
import { getContent } from '../../projections/message-parts.ts'
import { listValues } from '../../projections/persistent-map.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { chanceFrom, getSeed } from '../random.ts'
import type { LivedStory } from './live-story.ts'

// This import must be first: the daemon's modules take the replaced globals when they are loaded.
await import('../simulation/frozen-time.ts')
const { warmUp } = await import('../simulation/play.ts')
const { readStory } = await import('../simulation/story.ts')
const { toDocuments } = await import('../../projections/knowledge.ts')
const { localTimeAt } = await import('../../packages/kit/time/local-time.ts')
const { ada, liveThrough } = await import('./live-story.ts')
const { drawStory, zone } = await import('./days-story.ts')

const { SEED } = process.env
const first = getSeed('days')
const days = isWhole ? 60 : 4
const storyCount = SEED || !isWhole ? 1 : 4

test.before(warmUp)

/** The result of a life without positions, ids and the kinds of its interruptions. */
const getResult = ({ persona, entries }: LivedStory) => ({
  talk: entries.flatMap(({ at, event }) =>
    event.type === 'MessageHeard' || event.type === 'MessageSpoken'
      ? [`${localTimeAt(at, zone)} ${event.type}: ${getContent(event)}`]
      : [],
  ),
  documents: Object.entries(toDocuments(persona.knowledge)).map(
    ([name, text]) => `${name}: ${text.split('\n').sort().join(' ')}`,
  ),
  forgotten: [...listValues(persona.knowledge.forgotten)]
    .map(({ document, text }) => `${document}: ${text}`)
    .sort(),
  plans: [...listValues(persona.plans.open)]
    .map(({ kind, wall, content, recurrence }) => [wall, kind, content, recurrence].join(' '))
    .sort(),
  told: listDueEntries(entries),
  days: entries.flatMap(({ event }) =>
    event.type === 'DayClosed' ? [localTimeAt(event.ended, zone).slice(0, 10)] : [],
  ),
  carried: persona.days.carried?.text,
})

/** Reminders that were due, with the number of times each was done. */
const listDueEntries = (entries: readonly Entry[]): readonly string[] => {
  const plans = new Map<string, string>()
  const times = new Map<string, number>()
  for (const { event } of entries) {
    if (event.type === 'EntryPlanned' || event.type === 'EntryMoved')
      plans.set(event.id, `${event.wall} ${event.content}`)
    if (event.type === 'EntryDue') times.set(event.id, 0)
    if (event.type === 'EntryDone') times.set(event.id, (times.get(event.id) ?? 0) + 1)
  }
  return [...times].map(([id, count]) => `${plans.get(id)}: ${count}`).sort()
}

/**
 * Compares the results exactly: the clock stands still during an interruption, so nothing depends on its
 * length. Fails if lessons are committed before the fact that records the consolidated range (`learned
 * outside a consolidation`), if a night is not run again at waking (`a sleep never ended`), if the next
 * occurrence of a recurring reminder is planned in a separate commit (`buy milk` is never sent again), and if
 * a day is closed after its sleep has ended (`a day is closed while it is awake`).
 */
test('a life that is interrupted at any moment ends in the same state as an undisturbed one', async () => {
  const sum = { stories: 0, said: 0, due: 0, nights: 0, again: 0, learned: 0, cuts: 0 }
  for (let seed = first; seed < first + storyCount; seed++) {
    const story = drawStory(chanceFrom(seed), days)
    const peaceful = await liveThrough(story, null, chanceFrom(seed + 1))
    const cutLife = await liveThrough(story, chanceFrom(seed + 2), chanceFrom(seed + 3))
    for (const life of [peaceful, cutLife]) {
      const wrong = [...life.wrong]
      readStory(ada, life.entries, true, (problem) => wrong.push(problem))
      assert.equal(wrong, [], `SEED=${seed} repeats this`)
    }
    assert.equal(getResult(cutLife), getResult(peaceful), `SEED=${seed} repeats this`)
    sum.stories++
    sum.said += story.steps.length
    sum.due += listDueEntries(cutLife.entries).length
    const [began = 0, endCount = 0] = (['SleepBegan', 'SleepEnded'] as const).map(
      (wantedType) => cutLife.entries.filter(({ type }) => type === wantedType).length,
    )
    sum.nights += endCount
    sum.again += began - endCount
    sum.learned += cutLife.entries.filter(
      ({ event }) => event.type === 'MemoryKept' && event.origin === 'consolidation',
    ).length
    sum.cuts += Object.values(cutLife.cuts).reduce((all, count) => all + count, 0)
  }
  const { stories, said, due, nights, again, learned, cuts } = sum
  printFigures(
    'days',
    `${stories} × ${days} days from ${first}`,
    `${said} asks, ${due} due`,
    `${nights} nights, ${again} of them cut`,
    `${learned} lessons`,
    `${cuts} cuts`,
  )
  assert.ok(cuts > stories * days && learned > 0, 'too few interruptions for a meaningful result')
})

test.run()
