/** Tests of spelling correction, rewording and long input, before the practice mind's rules apply. */
import { test } from 'uvu'
import { is, ok } from 'uvu/assert'
import { answerAbout, answerFromStatements, answerKnown } from '../answers.ts'
import { replaceAll } from '../clauses.ts'
import { keepWords } from '../kept-words.ts'
import { editList } from '../lists.ts'
import { appoint, remind } from '../plan-rules.ts'
import { deleteData, explainFiles, explainPrivacy } from '../privacy.ts'
import type { Rule } from '../reply.ts'
import type { Situation } from '../situation.ts'
import { fixSpelling, guessSpelling } from '../spelling.ts'
import { wordTables } from '../words.ts'

const { correction: spelling, wordings } = wordTables.en.clauses

test('corrects words that are one typing error from a known word', () => {
  for (const [message, correction] of [
    ['my nmae is Marek', 'my name is Marek'],
    ['My naem is Marek', 'My name is Marek'],
    ['i liv in Brno', 'i live in Brno'],
    ['i lvoe coffee', 'i love coffee'],
    ['rember taht i wrok at night', 'remember that i work at night'],
    ['forgte my brithday', 'forget my birthday'],
    ['remidn me on firday in the mornign to call liv', 'remind me on friday in the morning to call liv'],
    ['waht is my adress', 'what is my address'],
    ['whne is my sisters birthdya', 'when is my sisters birthday'],
  ] as const)
    is(fixSpelling(message, spelling), correction)
})

test("does not change correct words, quoted text or the user's own content", () => {
  for (const message of [
    'my game is chess',
    'my feather is blue',
    'my friends moved to Bonn',
    'i bother my sister',
    'what were the planted trees',
    'forge the letter',
    'my farther field is green',
    'the remainder is mine',
    'I lied about it',
    'Move the dinner to 21:00',
    'remind me of the mourning on sundry days',
    'my name is Nmae',
    'my dog is called Liv',
    'i like moter racing',
    'she said "my nmae is Eve"',
  ])
    is(fixSpelling(message, spelling), message)
})

test('guesses a word with two errors, and never changes a correct word', () => {
  for (const [message, guess] of [
    ['my nmea is Peter', 'name'],
    ['my bortehr is ill', 'brother'],
    ['my name is Peter', undefined],
    ['my game is chess', undefined],
    ['my ukulele is broken', undefined],
    ['my mean uncle is here', undefined],
  ] as const)
    is(guessSpelling(message, spelling), guess, message)
})

const situation: Situation = {
  language: 'en',
  name: 'Ada',
  plans: [],
  laterPlans: 0,
  carried: '',
  now: '2026-11-23T10:15',
  talk: [],
  spoken: [],
  results: [],
  heard: [],
  files: [],
  passedOn: false,
  nextCall: 1,
  statements: [{ id: 'm1', document: 'person', text: 'The wifi password is hunter2.' }],
  tools: { has: () => true },
}

// Longer text never gets here: it is cut before. This tests the patterns alone, in their worst case.
test('processes 1 MB of any text in linear time', () => {
  const forms =
    'add to my |remove from my |what do you know about |remind me |tell me to |in an hour, |my nmae |delete all of my |can i send files |where is my |"|: |what is the day |is it today |a'.split(
      '|',
    )
  const rules: Readonly<Record<string, (text: string) => unknown>> = {
    spelled: (text) => fixSpelling(text, spelling),
    reworded: (text) => replaceAll(text, wordings),
    guessOf: (text) => guessSpelling(text, spelling),
    ...Object.fromEntries(
      Object.entries<Rule>({
        answerAbout,
        answerKnown,
        answerSomehow: answerFromStatements,
        editList,
        deleteData,
        explainFiles,
        explainPrivacy,
        keepWords,
      }).map(([name, rule]) => [name, (text: string) => rule(text, situation)]),
    ),
  }
  for (const [name, read] of Object.entries(rules))
    for (const form of forms) {
      const text = form.repeat(Math.ceil(1_000_000 / form.length))
      const cpuBefore = process.cpuUsage()
      read(text)
      const { user, system } = process.cpuUsage(cpuBefore)
      ok(user + system < 5_000_000, `${name} of “${form}”: ${(user + system) / 1000} ms`)
    }
})

test('handles a message of maximum length quickly', () => {
  for (const form of [
    'remind me ',
    'set a reminder for ',
    'in 5 minutes ',
    'on friday at 5 ',
    'dentist ',
    'to that about ',
  ]) {
    const cpuBefore = process.cpuUsage()
    for (const rule of [remind, appoint]) rule(form.repeat(Math.ceil(1500 / form.length)), situation)
    const { user, system } = process.cpuUsage(cpuBefore)
    ok(user + system < 2_000_000, `${form}: ${(user + system) / 1000} ms`)
  }
})

test.run()
