/**
 * Everyday conversations with the practice mind, over HTTP with one daemon. It must find what it claims to
 * remember, and must admit its limits.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'

/** The message, the answer (its beginning or a pattern), and optionally the statements or plans after it. */
type Turn = readonly [
  said: string,
  answer: string | RegExp,
  after?: { readonly kept?: readonly string[]; readonly planned?: readonly string[] },
]

const dialogues: Readonly<Record<string, readonly Turn[]>> = {
  'finds a remembered fact by several wordings': [
    [
      'Remember that the wifi password is hunter2',
      'I will remember that the wifi password is hunter2.',
      { kept: ['The wifi password is hunter2.'] },
    ],
    ['What is the wifi password?', 'The wifi password is hunter2.'],
    ['wifi?', 'The wifi password is hunter2.'],
    ['do you know the wifi password?', 'The wifi password is hunter2.'],
    ['whats the password for the wifi', 'The wifi password is hunter2.'],
    ['can you tell me the wifi password', 'The wifi password is hunter2.'],
    ['I forgot the wifi password', 'The wifi password is hunter2.'],
    [
      'what did I tell you about the wifi',
      /^You said:\n- today at 10:15: “Remember that the wifi password is hunter2”$/,
    ],
    ['what do you know about the wifi?', /- The wifi password is hunter2\./],
  ],
  'does not mention forgotten facts': [
    ['note: the garage code is 8842', 'I will remember that the garage code is 8842.'],
    ['garage code?', 'The garage code is 8842.'],
    ['forget the garage code', 'Done, I have forgotten that.', { kept: [] }],
    ['what is the garage code?', 'I was to forget something about “garage code”, so I do not know it.'],
  ],
  'finds messages that were not stored as facts': [
    ['The code for the front door is 4711', /./, { kept: [] }],
    ["what's the code for the front door?", /“The code for the front door is 4711”/],
    [
      'What is the capital of France?',
      'I do not know that: I know only what you tell me, and I find nothing about “capital France” in what we have said.',
    ],
    ["what's the code for the front door?", /^You said:\n- [^\n]*“The code for the front door is 4711”$/],
  ],
  'answers with related facts and claims nothing more': [
    ["I don't like coriander", "I will remember that you don't like coriander."],
    [
      'Am I allowed to eat coriander?',
      "I cannot answer that for certain. This I know: You don't like coriander.",
    ],
    ['can I eat coriander?', "I cannot answer that for certain. This I know: You don't like coriander."],
    ['do I like coriander?', "You don't like coriander."],
  ],
  'corrects typing errors that are certain': [
    [
      'my nmae is Marek and i liv in Brno',
      'Nice to meet you, Marek. I will remember that your name is Marek and that you live in Brno.',
      { kept: ['Their name is Marek.', 'They live in Brno.'] },
    ],
    ['wat is my naem', 'Your name is Marek.'],
    ['whre do i live', 'You live in Brno.'],
    ['i wrok as a nurse', 'I will remember that you work as a nurse.'],
    ['rember that my brohter lives in Prague', 'I will remember that your brother lives in Prague.'],
    [
      'Set a reminder for tomorow at 9: call liv',
      'I will remind you tomorrow, Tuesday, 24 November, at 09:00: call liv.',
      { planned: ['2026-11-24T09:00 call liv'] },
    ],
    ['remidn me on firday at 9 to pay', 'I will remind you on Friday, 27 November, at 09:00: pay.'],
    ['cancle the reminder about liv', 'Done, it is cancelled.', { planned: ['2026-11-27T09:00 pay'] }],
  ],
  "stores ambiguous statements in the user's own words": [
    [
      'my nmea is Peter',
      'I kept your words: “my nmea is Peter”. If you meant your name, tell me once more.',
      { kept: ['They said: “my nmea is Peter”.'] },
    ],
    ['what is my name?', 'I kept your words: “my nmea is Peter”.'],
    ['My name is Peter', 'Nice to meet you, Peter.'],
    ['what is my name?', 'Your name is Peter.'],
  ],
  'does not change correct words that resemble typing errors': [
    ['I love my cat', 'I will remember that you love your cat.'],
    ['my game is chess', 'I will remember that your game is chess.'],
    ['my feather is blue', 'I will remember that your feather is blue.'],
    [
      'my favourite film is “Nmae of the Rose”',
      'I will remember that your favourite film is "Nmae of the Rose".',
    ],
  ],
  'parses reminders with any form of time': [
    [
      'Set a reminder for next friday 5pm: dentist',
      'I will remind you on Friday, 4 December, at 17:00: dentist.',
      { planned: ['2026-12-04T17:00 dentist'] },
    ],
    [
      'reminder: call mom tomorrow at 10',
      'I will remind you tomorrow, Tuesday, 24 November, at 10:00: call mom.',
    ],
    ['set an alarm for 7', 'I will remind you tomorrow, Tuesday, 24 November, at 07:00: get up.'],
    ['alarm 6:45', 'I will remind you tomorrow, Tuesday, 24 November, at 06:45: get up.'],
    ['in 2 hours tell me to move the car', 'I will remind you in 2 hours, today at 12:15: move the car.'],
    ['remind me in 30 seconds to breathe', 'I will remind you in 30 seconds, today at 10:15: breathe.'],
    ['set a timer for 5 minutes', 'I will remind you in 5 minutes, today at 10:20: the time is up.'],
    [
      'remind me two days from now to call the bank',
      'I will remind you on Wednesday, 25 November, at 09:00: call the bank.',
    ],
    ['remind me to pay rent on the first', 'I will remind you on Tuesday, 1 December, at 09:00: pay rent.'],
    [
      'remind me on Dec 24 at 6 in the evening to light candles',
      'I will remind you on Thursday, 24 December, at 18:00: light candles.',
    ],
    [
      'remind me friday next week to call Bob',
      'I will remind you on Friday, 4 December, at 09:00: call Bob.',
    ],
    [
      'remind me every day at 22:00 to brush my teeth',
      'I will remind you every day at 22:00, from today on: brush your teeth.',
    ],
    ['ping me in an hour', 'What shall I remind you of?'],
    ['to stretch', 'I will remind you in 1 hour, today at 11:15: stretch.'],
  ],
  'says plainly that it cannot plan something': [
    [
      'remind me every 2 hours to drink',
      'I can repeat a reminder every hour, day, week, month or year, and in no other rhythm.',
      { planned: [] },
    ],
    ['remind me yesterday to run', 'That lies in the past.'],
    ['remind me on feb 30 to jump', 'There is no such day.'],
    [
      'remind me when I get home to feed the cat',
      'I know the clock, and not what happens elsewhere. When shall I remind you?',
    ],
    ['my boss will remind me to work', /^(?!.*When shall I remind you)/, { planned: [] }],
  ],
  'adds, moves and cancels appointments': [
    ['dentist on thursday at 3pm', 'It is in your calendar, on Thursday, 26 November, at 15:00: dentist.'],
    [
      'I have a meeting with Bob on Tuesday at 10',
      'It is in your calendar, tomorrow, Tuesday, 24 November, at 10:00: meeting with Bob.',
    ],
    [
      'move the dentist to friday',
      'I have moved it: on Friday, 27 November, at 15:00, dentist.',
      { planned: ['2026-11-24T10:00 meeting with Bob', '2026-11-27T15:00 dentist'] },
    ],
    ['when is the dentist?', /on Friday, 27 November, at 15:00: dentist/],
    [
      'what do I have tomorrow?',
      'This is planned:\n- tomorrow, Tuesday, 24 November, at 10:00: meeting with Bob',
    ],
    ['move the concert to friday', 'I do not find that among your plans.'],
    ['cancel the meeting with Bob', 'Done, it is cancelled.'],
    ["what's on my calendar?", 'This is planned:\n- on Friday, 27 November, at 15:00: dentist'],
    ['cancel everything', 'Done, it is cancelled.', { planned: [] }],
    ['what is planned?', 'Nothing is planned.'],
    ['the film on friday at eight was great', /^(?!It is in your calendar)/, { planned: [] }],
  ],
  'deletes nothing unasked and explains how to delete': [
    [
      'Delete my data',
      /^I know nothing about you that I could forget\. What we said stays in our conversation .*on the page under Settings\./,
    ],
    [
      'I live in Graz and I have two cats',
      'I will remember that you live in Graz and that you have two cats.',
    ],
    [
      'Delete my data',
      /^I know 2 things about you\..*If you are sure, say “Yes, forget everything”\./,
      { kept: ['They live in Graz.', 'They have two cats.'] },
    ],
    ['no', 'Then I keep what I know.', { kept: ['They live in Graz.', 'They have two cats.'] }],
    ['please delete all my data', /Shall I forget what I know about you\?/],
    ['how are you?', /./],
    ['yes', /./, { kept: ['They live in Graz.', 'They have two cats.'] }],
    ['erase all my data', /Shall I forget what I know about you\?/],
    ['yes, forget everything', 'Done, I have forgotten those 2 things.', { kept: [] }],
    ['what do you know about me?', 'I know nothing about you yet.'],
    ['delete yourself', /^That is not done in words: I am deleted on the page/],
  ],
  'replaces facts on corrections and negations': [
    ['my favourite colour is green', 'I will remember that your favourite colour is green.'],
    [
      "no, it's blue",
      'I have put it right: your favourite colour is blue.',
      { kept: ['Their favourite colour is blue.'] },
    ],
    ['I moved to Vienna last year', 'I will remember that you live in Vienna.'],
    [
      'no I live in Graz',
      'I have put it right: you live in Graz.',
      { kept: ['Their favourite colour is blue.', 'They live in Graz.'] },
    ],
    [
      'I no longer live in Graz',
      'Done, I have forgotten that.',
      { kept: ['Their favourite colour is blue.'] },
    ],
    ['you can call me Jo', 'I will remember that you want to be called Jo.'],
    ['call me Jojo', 'I have put it right: you want to be called Jojo.'],
    ['remember my license plate is W-12345X', 'I will remember that your license plate is W-12345X.'],
    ["what's my license plate?", 'Your license plate is W-12345X.'],
  ],
  'knows family and friends by name': [
    ["my brother's name is Tom and he lives in Prague", /^I will remember that your brother's name is Tom/],
    ['who is Tom?', "Your brother's name is Tom and he lives in Prague."],
    ['where does my brother live?', "Your brother's name is Tom and he lives in Prague."],
    [
      "don't forget that the plumber's number is 0660 123456",
      "I will remember that the plumber's number is 0660 123456.",
    ],
    ['plumber?', "The plumber's number is 0660 123456."],
    [
      'what do you know about Tom?',
      "This I know about Tom:\n- Your brother's name is Tom and he lives in Prague.",
    ],
    [
      'what is the date of the wedding?',
      'I do not know that: I know only what you tell me, and I find nothing about “wedding” in what we have said.',
    ],
  ],
  'keeps a list in one statement': [
    [
      'add milk and eggs to my shopping list',
      'On your shopping list: milk and eggs.',
      { kept: ['On their shopping list: milk and eggs.'] },
    ],
    [
      'add bread to the shopping list',
      'On your shopping list: milk, eggs and bread.',
      { kept: ['On their shopping list: milk, eggs and bread.'] },
    ],
    ['remove eggs from my shopping list', 'On your shopping list: milk and bread.'],
    ["what's on my shopping list?", 'On your shopping list: milk and bread.'],
    ['clear my shopping list', 'Done, I have forgotten that.', { kept: [] }],
    ["what's on my shopping list?", 'Nothing is on your shopping list yet.'],
  ],
  'explains privacy and files correctly': [
    [
      'where is my data stored?',
      /^Everything lies on this machine, in the folder of the daemon \(DAIMON_HOME, else ~\/\.daimon\)/,
    ],
    [
      'do you share my data with anyone?',
      /^What you tell me stays on this machine: .* It is not encrypted there/,
    ],
    ['is this private?', /^What you tell me stays on this machine/],
    ['export my data', /on the page, under Settings, Backup/],
    ['can you read pdfs?', /^You can send me files here on the page/],
    ['how do I send you a picture?', /an Eye looks at pictures/],
  ],
  'is honest in small talk, thanks and refusals': [
    ['hey', /^Hello/, { kept: [] }],
    ['thank you so much', /^(?:You are welcome|Gladly|With pleasure)/],
    ['tell me a joke', /^I cannot tell jokes/],
    ["what's the weather like?", /I cannot look at the weather/],
    ["what's 2+2?", /^That is 4\./],
    ['what time is it?', 'It is 10:15.'],
    ['what day is it?', 'Today is Monday, 23 November 2026.'],
    ['what languages do you speak', 'Simple English and simple German.'],
    ["Wie geht's dir?", /Und dir|wie geht es dir|Wie ist dein Tag/],
    ['Me llamo Pedro y vivo en Madrid', 'That looks like Spanish.'],
    ['I am sad', /sorry|hard/, { kept: [] }],
    ["you're useless", /stand-in|disappoint/],
    ['🙂', /./],
    ['good night', /^Good night/],
    [
      'how do I give you a real mind?',
      /^A real model is given to me on the page, with the button “Get a real model” or under Settings/,
    ],
  ],
}

const messageCount = Object.values(dialogues).flat().length
test('covers more than a hundred messages', () => {
  ok(messageCount > 100, `${messageCount}`)
})

let daemon: TestDaemon
let home: string
test.before(async () => {
  home = await tempHome()
  daemon = await startDaemon({ home, clock: createFakeClock() })
})
test.after(async () => {
  await daemon.close()
  await rm(home, { recursive: true, force: true })
})

const get = async (path: string) => (await call(daemon.url, 'GET', path)).body
const getStatements = async (id: string): Promise<readonly string[]> =>
  (await get(`/api/persona/${id}/memories`)).memories
    .filter(({ forgotten }: { forgotten: boolean }) => !forgotten)
    .map(({ text }: { text: string }) => text)
    .sort()
const getPlans = async (id: string): Promise<readonly string[]> => {
  const { destiny } = await get(`/api/persona/${id}/calendar?start=2026-11-01&end=2030-01-01`)
  return [...destiny.schedule, ...destiny.reminder]
    .map(({ time, body }) => `${time.slice(0, 16)} ${body}`)
    .sort()
}

const play = async (turns: readonly Turn[]) => {
  const creation = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  is(creation.status, 200)
  const { id } = creation.body.persona
  for (const [words, answer, after = {}] of turns) {
    const { status, body } = await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=30`, {
      message: words,
    })
    is(status, 200, words)
    const content: string = body.reply.content
    if (typeof answer === 'string') ok(content.startsWith(answer), `${words}: ${content}`)
    else match(content.split('\n\nA word about me:')[0] ?? '', answer, `${words}: ${content}`)
    if (after.kept) equal(await getStatements(id), [...after.kept].sort(), words)
    if (after.planned) equal(await getPlans(id), [...after.planned].sort(), words)
  }
}

// All dialogues run concurrently, because most of the time is spent waiting for the disk.
const results = new Map<string, Promise<unknown>>()
const playAll = () => {
  for (const [claim, turns] of Object.entries(dialogues))
    results.set(
      claim,
      play(turns).then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
}

for (const claim of Object.keys(dialogues))
  test(`${claim} in everyday conversations`, async () => {
    if (results.size === 0) playAll()
    const error = await results.get(claim)
    if (error !== undefined) throw error
  })

test.run()
