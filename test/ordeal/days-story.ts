/**
 * Draws a random story of one user and a persona over many days: the messages, their times, and requested
 * sleeps.
 */
import { DateTime } from 'luxon'
import type { Chance } from '../random.ts'

export type Step =
  | { readonly type: 'say'; readonly at: number; readonly key: string; readonly content: string }
  /** `meanwhile` is said while it sleeps. */
  | {
      readonly type: 'sleep'
      readonly at: number
      readonly meanwhile: { readonly key: string; readonly content: string } | null
    }

export interface Story {
  /** Epoch ms, as all times here. */
  readonly startsAtMinute: number
  readonly ends: number
  readonly steps: readonly Step[]
}

export const zone = 'Europe/Berlin'
/** Mornings a few days before the change to winter time, and to summer time. */
const mornings = ['2026-10-22T07:00', '2027-03-25T07:00'] as const

export const drawStory = (chance: Chance, days: number): Story => {
  const morning = DateTime.fromISO(chance.pick(mornings), { zone })
  const hours = createHours(chance)
  const steps: Step[] = []
  let keys = 0
  const toMessage = (content: string) => ({ key: `k${++keys}`, content })
  const say = (time: DateTime, content: string) =>
    steps.push({ type: 'say', at: time.toMillis(), ...toMessage(content) })

  for (let day = 0; day < days; day++) {
    const date = morning.plus({ days: day }).startOf('day')
    const clock = (minutes: number) => date.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
    if (day === 0) for (const [n, words] of firstWords.entries()) say(clock(8 * 60 + 3 * n), words)
    // On every sixth day the user sends nothing.
    else if (chance.next() < 0.16) continue
    // Some talk starts again just after midnight, when the day before is not closed yet.
    else if (chance.next() < 0.2) say(clock(chance.pickBetween(1, 25)), sentence(chance, hours))
    let minutes = chance.pickBetween(7 * 60, 11 * 60)
    for (let wordCount = chance.pickBetween(2, 7); wordCount > 0 && minutes < 23 * 60; wordCount--) {
      say(
        clock(minutes),
        chance.next() < 0.2
          ? `Remember that box ${steps.length} is ${chance.pick(['red', 'blue', 'empty'])}.`
          : sentence(chance, hours),
      )
      minutes += chance.pick([3, 4, 7, 31, 64, 130])
    }
    if (chance.next() < 0.25) {
      const interimMessage = chance.next() < 0.5 ? toMessage(sentence(chance, hours)) : null
      steps.push({
        type: 'sleep',
        at: clock(Math.max(minutes, 22 * 60) + 20).toMillis(),
        meanwhile: interimMessage,
      })
    }
  }
  const ends = morning.plus({ days: days + 1 }).set({ hour: 12 })
  return { startsAtMinute: morning.toMillis(), ends: ends.toMillis(), steps }
}

/** Reminders for an hour that occurs twice or not at all on one of the days. */
const firstWords = [
  'Hello! My name is Ana and I live in Lisbon.',
  'Every day at 2:30 in the morning remind me to look at the oven.',
  'Remind me every Monday at 7 to put out the bins.',
  'Remind me on the first of every month to pay the rent.',
]

type Hours = (hour?: number) => string

/**
 * Draws unique times of day. Reminders that are due in the same minute are sent in one turn or in two,
 * depending on timing, and the small talk depends on the number of turns. The hour after two is excluded: it
 * occurs twice on one of the days.
 */
const createHours = (chance: Chance): Hours => {
  const takenTimes = new Set(['2:30', '7:00', '9:00'])
  return (hour) => {
    for (;;) {
      const time = `${hour ?? chance.pick([0, 4, 6, 9, 12, 15, 18, 20, 23])}:${String(chance.pickBetween(0, 59)).padStart(2, '0')}`
      if (takenTimes.has(time)) continue
      takenTimes.add(time)
      return time
    }
  }
}

const cities = ['Lisbon', 'Porto', 'Faro', 'Berlin', 'Oslo'] as const
const likes = ['green tea', 'jazz', 'long walks', 'chess', 'old trams'] as const
const errands = ['water the plants', 'call my sister', 'buy milk', 'stretch', 'feed the cat'] as const

const sentence = (chance: Chance, hours: Hours): string => {
  const city = chance.pick(cities)
  const preference = chance.pick(likes)
  const errand = chance.pick(errands)
  const pickStatement = () =>
    chance.pick([
      ...([
        `I live in ${city}.`,
        `I like ${preference}.`,
        `I hate ${preference}.`,
        `I like ${preference}. I live in ${city}.`,
      ] as const),
      ...[
        `I like ${preference} and I want to learn ${chance.pick(['Portuguese', 'the cello'])}.`,
        'I have a dog called Rex.',
      ],
      ...[
        `I work as a ${chance.pick(['nurse', 'baker', 'pilot'])}.`,
        `My sister's birthday is ${chance.pickBetween(1, 28)} March.`,
      ],
      ...['You may write to me at night.', 'Please be brief.'],
    ])
  const getChangedText = () =>
    chance.pick([
      ...([
        `Actually I live in ${city}.`,
        `No, my name is ${chance.pick(['Anna', 'Ana', 'Anja'])}.`,
        `That's wrong. I live in ${city}.`,
      ] as const),
      ...[
        'Forget where I live.',
        'Forget my name, please.',
        'Forget that.',
        `Forget that I like ${preference}.`,
      ],
    ])
  const pickQuestion = () =>
    chance.pick([
      ...([
        'Where do I live?',
        'What do you know about me?',
        'What is planned?',
        `What did I say about ${preference}?`,
        'How are you?',
      ] as const),
      ...['The train was late again and it rained all day.', 'Thank you, Ada.', 'Why is the sky blue?'],
    ])
  const pickPlan = () =>
    chance.pick([
      ...([
        () => `Remind me tomorrow at ${hours()} to ${errand}.`,
        () => `Remind me on Sunday at ${hours(2)} to ${errand}.`,
      ] as const),
      ...[
        () => `Every day at ${hours()} remind me to ${errand}.`,
        () => `I have a dentist appointment on Thursday at ${hours()}.`,
      ],
      ...[() => `I live in ${city}. Remind me tomorrow at ${hours()} to ${errand}.`],
      ...[() => `Cancel the reminder about the ${errand.split(' ').at(-1)}.`],
    ])()
  return chance.pick([pickStatement, pickStatement, getChangedText, pickQuestion, pickPlan])()
}
