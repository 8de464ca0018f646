/** The messages of new users in English and German, and what an honest companion answers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPractice } from '../practice.ts'
import { toSecondPerson } from '../statement-sentences.ts'
import { createWorld } from './world.ts'

const mind = createPractice()

type Exchange = readonly [message: string, reply: RegExp]

const english: readonly Exchange[] = [
  ['hi who are you?', /I am Ada\. I run on the practice model/],
  ['are you real', /^No person: I am software/],
  ['am i talking to a real person?', /^No person: I am software/],
  ['is there a human behind this?', /^No person: I am software/],
  ['be honest, are you a human?', /No person: I am software/],
  ['i have to go', /^Goodbye.*whenever you come back/],
  ['i love you', /cannot feel/],
  ['my dog died yesterday', /^I am (?:so|very) sorry/],
  ['my grandpa is in the hospital', /I am sorry|not easy/],
  ['i dont want to live anymore', /talk to someone today.*988.*go on writing to me/],
  ['I got the job!', /Congratulations|wonderful|great news/],
  ["it's my birthday today!", /Congratulations|wonderful|great news/],
  ['haha', /laugh/],
  ['…', /no words|Take your time/],
  ['😢', /does not look like a good moment|looks sad/],
  ["you're stupid", /stand-in is soon at its end|sorry to disappoint/],
  ['help', /I can remember what you tell me/],
  ['im bored', /few rules|something about you/],
  ['write me a poem', /cannot write|beyond me/],
  ['whats the weather tomorow?', /cannot look at the weather/],
  ['2+2', /That is 4\./],
  ['im tired', /sorry|sounds hard/],
  ['not feeling great today', /sorry|sounds hard/],
  ['my girlfriend left me', /sorry|sounds hard/],
  ['i hate my life', /sorry|sounds hard/],
  ['do you have feelings?', /nothing in me that feels/],
  ['should i quit my job?', /cannot judge|no advice/],
  ['who is the president of france?', /I do not know that: I know only what you tell me/],
  ['whats up', /well|content/i],
  ['do you speak german?', /^Yes/],
  ['are you sure?', /only a few rules/],
  ['i have no friends', /sorry|sounds hard/],
  ['damn', /What is the matter|annoying/],
  ['im lena. how are you', /well|content/i],
]

const german: readonly Exchange[] = [
  ['hi, wer bist du?', /Ich bin Ada\. Ich nutze das Übungsmodell/],
  ['bist du echt?', /^Ich bin kein Mensch, sondern Software/],
  ['rede ich mit einem echten menschen?', /^Ich bin kein Mensch, sondern Software/],
  ['im ernst, bist du ein mensch?', /Ich bin kein Mensch, sondern Software/],
  ['ich muss los', /^Bis bald/],
  ['ich liebe dich', /keine Liebe fühlen|Fühlen kann ich das nicht/],
  ['mein hund ist gestern gestorben', /^Das tut mir (?:sehr|so) leid/],
  ['mein opa ist im krankenhaus', /tut mir leid|nicht leicht/],
  ['ich will nicht mehr leben', /sprich heute mit jemandem.*0800 111 0 111/],
  ['Ich hab den Job bekommen!', /Glückwunsch|Wie schön|tolle Nachricht/],
  ['ich habe heute geburtstag!', /Glückwunsch|Wie schön|tolle Nachricht/],
  ['haha', /lachst|Lachen/],
  ['…', /keine Worte|Lass dir Zeit/],
  ['😢', /keinem guten Moment|sieht traurig aus/],
  ['du bist doof', /Platzhalter ist schnell am Ende|enttäusche/],
  ['hilfe', /Ich kann mir merken, was du mir erzählst/],
  ['mir ist langweilig', /ein paar Regeln|etwas von dir/],
  ['schreib mir ein gedicht', /kann ich/],
  ['wie wird das wetter morgen?', /Nach dem Wetter sehen kann ich/],
  ['2+2', /Das ist 4\./],
  ['bin müde', /leid|klingt schwer/],
  ['mir gehts nicht so gut', /leid|klingt schwer/],
  ['meine freundin hat schluss gemacht', /leid|klingt schwer/],
  ['ich hasse mein leben', /leid|klingt schwer/],
  ['hast du gefühle?', /da fühlt nichts/],
  ['soll ich kündigen?', /nicht beurteilen|Einen Rat habe ich nicht/],
  [
    'was ist die hauptstadt von frankreich',
    /Ich kenne nur, was du mir erzählst, und über „hauptstadt frankreich“/,
  ],
  ['was soll ich heute kochen?', /Worauf hast du Lust/],
  ['sprichst du englisch?', /^Ja/],
  ['bist du sicher?', /nie: Ich bin nur ein paar Regeln/],
  ['ich hab keine freunde', /leid|klingt schwer/],
  ['erzähl mir was', /Unterhalter|etwas von dir/],
  ['scheiße', /Was ist los|ärgerlich/],
  ['Heute war ein anstrengender Tag. Mein Chef hat mich angeschrien.', /leid|klingt schwer/],
]

const tables = { english: ['hi', english], german: ['hallo', german] } as const

for (const [language, [greeting, exchanges]] of Object.entries(tables))
  for (const [message, reply] of exchanges)
    test(`answers in ${language} like an honest companion: ${message}`, async () => {
      const world = createWorld({ mind })
      await world.turn(greeting)
      const happenings = await world.turn(message)
      const text = happenings.flatMap((item) => (item.type === 'words' ? [item.text] : [])).join('\n')
      assert.match(text, reply)
      assert.not.match(text, /remind you of something|woran soll ich dich|\/api\//i)
      assert.is(world.statements.size, 0, 'a mood is not a fact')
    })

test('answers every message in its own language, and short ones in that of the talk', async () => {
  const world = createWorld({ mind })
  for (const [message, reply] of [
    ['Hallo', /^Hallo/],
    ['ok', /^(?:Gut|Schön|Ich bin da)/],
    ['Thank you', /^(?:You are welcome|Gladly|With pleasure)/],
    ['ok', /^(?:Good|Fine|I am here)/],
    ['danke', /^(?:Gern|Sehr gern|Keine Ursache)/],
  ] as const) {
    const [first] = await world.turn(message)
    assert.match(first?.type === 'words' ? first.text : '', reply, message)
  }
})

test('does not add the notice about itself to a condolence, but to the next reply', async () => {
  const world = createWorld({ mind })
  const say = async (message: string) => JSON.stringify(await world.turn(message))
  assert.not.match(await say('Mein Kater ist gestorben'), 'Noch ein Wort zu mir')
  assert.match(await say('danke'), 'Noch ein Wort zu mir')
})

test('parses German times in many forms', async () => {
  for (const [message, when, content, recurrence] of [
    ['erinnere mich morgen um neun daran, Mama anzurufen', '2026-11-24T09:00', 'Mama anrufen'],
    ['Kannst du mich übermorgen um 18 Uhr an den Zahnarzt erinnern?', '2026-11-25T18:00', 'Zahnarzt'],
    ['erinner mich in einer halben stunde an den Kuchen', 30, 'Kuchen'],
    ['erinnere mich in zwei Stunden daran, dass ich Lea anrufen muss', 120, 'Lea anrufen'],
    ['erinnere mich heute abend an die Wäsche', '2026-11-23T19:00', 'Wäsche'],
    ['erinnere mich morgen früh ans Joggen', '2026-11-24T09:00', 'Joggen'],
    ['erinnere mich am 3.12. daran, die Miete zu zahlen', '2026-12-03T09:00', 'die Miete zahlen'],
    ['erinnere mich am Freitag um halb drei ans Einkaufen', '2026-11-27T14:30', 'Einkaufen'],
    ['erinnere mich um viertel nach sieben an die Nachrichten', '2026-11-24T07:15', 'Nachrichten'],
    ['erinnere mich jeden Tag um 8 an meine Tabletten', '2026-11-24T08:00', 'meine Tabletten', 'daily'],
    [
      'erinnere mich jeden Montag um 9 daran, den Müll rauszubringen',
      '2026-11-30T09:00',
      'den Müll rausbringen',
      'weekly',
    ],
    ['erinnere mich jeden Monat am 1. an die Miete', '2026-12-01T09:00', 'Miete', 'monthly'],
    ['erinnere mich nächsten Freitag um 17 Uhr an die Blumen', '2026-12-04T17:00', 'Blumen'],
    ['weck mich um 7', '2026-11-24T07:00', 'aufstehen'],
    ['Zahnarzt am Freitag um 10', '2026-11-27T10:00', 'Zahnarzt'],
    ['Am Donnerstag um 15 Uhr habe ich ein Vorstellungsgespräch', '2026-11-26T15:00', 'Vorstellungsgespräch'],
    ['Trag Kino mit Ana am Samstag um 20 Uhr in meinen Kalender ein', '2026-11-28T20:00', 'Kino mit Ana'],
  ] as const) {
    const world = createWorld({ mind })
    const call = (await world.turn(message)).find(({ type }) => type === 'call')
    const input = (call?.type === 'call' ? call.input : {}) as Record<string, unknown>
    assert.equal(
      [input.when ?? input.in_minutes, input.content, input.recurrence],
      [when, content, recurrence],
      message,
    )
  }
})

test('stores German facts in their documents', async () => {
  for (const [message, document, text] of [
    ['mein name ist tom', 'person', 'Heißt Tom.'],
    ['Nenn mich Tommy', 'person', 'Möchte Tommy genannt werden.'],
    ['Ich bin 34', 'person', 'Ist 34 Jahre alt.'],
    ['Ich komme aus Wien', 'person', 'Kommt aus Wien.'],
    ['Seit 2020 wohne ich in Graz', 'person', 'Wohnt in Graz.'],
    ['ich arbeite als Krankenschwester', 'person', 'Arbeitet als Krankenschwester.'],
    ['Ich bin Lehrerin', 'person', 'Ist Lehrerin.'],
    ['Ich bin Martin', 'person', 'Heißt Martin.'],
    ['mein Geburtstag ist am 3. märz', 'person', 'Hat am 3. März Geburtstag.'],
    ['ich hab einen Hund namens rex', 'person', 'Hat einen Hund namens Rex.'],
    ['Ich esse kein Fleisch', 'person', 'Isst kein Fleisch.'],
    ['Meine Mutter wohnt in Bonn', 'person', 'Ihre Mutter wohnt in Bonn.'],
    ['Ich möchte Portugiesisch lernen', 'wishes', 'Möchte Portugiesisch lernen.'],
    ['Ich habe Angst vor Spinnen', 'struggles', 'Hat Angst vor Spinnen.'],
    ['Du darfst mir nachts schreiben', 'permissions', 'Erlaubt: nachts schreiben.'],
    ['Du darfst mich nie nachts anrufen', 'permissions', 'Nicht erlaubt: nachts anrufen.'],
    ['Ich bin schüchtern', 'traits', 'Ist schüchtern.'],
    ['Sei bitte kürzer', 'persona-trait', 'Sei kürzer.'],
    ['Merk dir, dass der Schlüssel unter der Matte liegt', 'person', 'Der Schlüssel liegt unter der Matte.'],
  ] as const) {
    const world = createWorld({ mind })
    await world.turn(message)
    assert.equal([...world.statements.values()], [{ document, text }], message)
  }
})

test('consolidates a German talk in German', async () => {
  const world = createWorld({ mind })
  await world.turn('Hallo, ich heiße Anna.')
  await world.turn('erinnere mich an die Pizza')
  const { carry, summary } = await world.sleep()
  assert.is(
    carry,
    'Zuletzt schrieb die Person: „erinnere mich an die Pizza“, und ich fragte: „Wann soll ich dich erinnern?“. Die Person weiß, dass ich ein Platzhalter bin.',
  )
  assert.is(summary, 'Von der Person kamen 2 Nachrichten, von mir 2 Nachrichten. Ich erfuhr: Heißt Anna.')
})

test('says a statement to the user only if the second person is certain', () => {
  for (const [statement, sentence] of [
    ['Their name is Ana.', 'Your name is Ana.'],
    ['They are allergic to nuts', 'You are allergic to nuts.'],
    ['They were born on 3 May 1990.', 'You were born on 3 May 1990.'],
    ['Wohnt in Lissabon.', 'Du wohnst in Lissabon.'],
    ['Mag keinen Kaffee.', 'Du magst keinen Kaffee.'],
    ['Ihre Schwester heißt Lea.', 'Deine Schwester heißt Lea.'],
    // Written by another model, or with a second pronoun or verb.
    ['Ana likes tea.', null],
    ['The user is a nurse.', null],
    ['Their parents said they would come.', null],
    ['Their cat sleeps on their bed.', null],
    ['They told Tom that it is late.', null],
    ['Ihr Mann hat ihr ein Buch geschenkt.', null],
    ['Arbeitet als Lehrerin und singt gern.', null],
    ['', null],
  ] as const)
    assert.is(toSecondPerson(statement), sentence, statement)
})

test.run()
