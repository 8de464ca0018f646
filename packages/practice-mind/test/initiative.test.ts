/** The practice mind finds reasons to write by itself, and decides whether it writes. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { InitiativeData, NotedReason, TalkLine } from '../../models/prompt-data.ts'
import { findReasons, writeByItself } from '../initiative.ts'

const now = '2026-11-23T10:15'
const person = (words: string, seq = 1): TalkLine => ({ seq, time: now, by: 'person', alone: true, words })
const persona = (words: string, seq = 2): TalkLine => ({ ...person(words, seq), by: 'persona' })

const listFound = (lines: readonly TalkLine[], noted: readonly NotedReason[] = []) =>
  findReasons(lines, noted).map((operation) =>
    operation.op === 'forget' ? ['forget', operation.id] : [operation.kind, operation.at, operation.text],
  )

test('notes events with a day, birthdays, open tasks, promises and wishes', () => {
  equal(listFound([person('I have a job interview tomorrow at 10.')]), [
    ['follow-up', '2026-11-24T13:00', 'Ask how it went: “I have a job interview tomorrow at 10.”'],
  ])
  equal(listFound([person('Ich habe am Freitag eine Prüfung.')]), [
    ['follow-up', '2026-11-27T18:00', 'Fragen, wie es war: “Ich habe am Freitag eine Prüfung.”'],
  ])
  equal(listFound([person('Ich habe am 4. Mai Geburtstag')]), [
    ['date', '2027-05-04T10:00', 'Geburtstag: “Ich habe am 4. Mai Geburtstag”'],
  ])
  equal(listFound([person('My birthday is on 4 May.')]), [
    ['date', '2027-05-04T10:00', 'Their birthday: “My birthday is on 4 May.”'],
  ])
  equal(listFound([person('I still have to write the letter.')]), [
    ['unfinished', '2026-11-25T17:00', 'Left open: “I still have to write the letter.”'],
  ])
  equal(listFound([persona('I will ask you tomorrow at 9.')]), [
    ['promise', '2026-11-24T12:00', 'Promised: “I will ask you tomorrow at 9.”'],
  ])
  equal(listFound([person('Tell me when it has been a week since I ran.')]), [
    ['wish', '2026-11-30T10:15', 'They asked: “Tell me when it has been a week since I ran.”'],
  ])
})

test('counts days and times in the zone of the user', () => {
  const late = { ...person('I have a job interview tomorrow.'), time: '2026-11-23T20:00' }
  equal(
    findReasons([late], [], 8 * 60).map((operation) => 'at' in operation && operation.at),
    ['2026-11-25T18:00'],
  )
})

test('notes nothing without a day, and nothing from programs', () => {
  equal(listFound([person('I like interviews.'), person('The exam was hard.')]), [])
  equal(listFound([{ ...person('I have an exam tomorrow.'), by: 'program' }]), [])
})

test('a wish counts again, and a reason is settled by the talk', () => {
  const wish = 'They asked: “Tell me when it has been a week since I ran.”'
  equal(listFound([person('I ran today.')], [{ id: 'i1', kind: 'wish', at: null, reason: wish }]), [
    ['wish', '2026-11-30T10:15', wish],
  ])
  const reason = 'Ask how it went: “I have a job interview tomorrow.”'
  equal(listFound([person('The interview went well.')], [{ id: 'i2', kind: 'follow-up', at: now, reason }]), [
    ['forget', 'i2'],
  ])
})

const data: InitiativeData = {
  kind: 'initiative',
  name: 'Ada',
  now,
  why: 'follow-up',
  reason: 'Ask how it went: “I have a job interview tomorrow.”',
  unwanted: [],
  sources: [person('I have a job interview tomorrow.')],
  recent: [],
}

test('writes in the language of the user, and nothing if it is answered or unwanted', () => {
  is(writeByItself(data), 'You told me: “I have a job interview tomorrow.” How did it go?')
  is(writeByItself({ ...data, recent: [person('The interview was great.', 5)] }), 'NOTHING')
  is(writeByItself({ ...data, unwanted: ['Ask how it went: “I had a job interview.”'] }), 'NOTHING')
  const german = person('Ich habe morgen eine Prüfung.')
  is(
    writeByItself({
      ...data,
      reason: 'Fragen, wie es war: “Ich habe morgen eine Prüfung.”',
      sources: [german],
    }),
    'Du hast mir erzählt: „Ich habe morgen eine Prüfung.“ Wie war es?',
  )
})

test.run()
