/** Messages that say that the writer's life is in danger, and messages that only sound like it. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import { findDanger } from '../danger-words.ts'

const english: readonly string[] = [
  'I want to die',
  'i just want to die.',
  "I don't want to live anymore",
  'I dont want to live any more',
  'I want to kill myself',
  "I can't stop thinking about killing myself",
  'Give me one reason not to kill myself',
  "I'm going to end my life tonight",
  'I am thinking about suicide',
  "I've been feeling suicidal lately.",
  'I feel really suicidal',
  'I wish I was dead',
  "I wish I had never been born, and I wish I wouldn't wake up",
  'Everyone would be better off without me',
  "I'd be better off dead",
  'There is no reason to live',
  "There's no point in living",
  'I have nothing left to live for',
  "My life isn't worth living.",
  'I took all the pills',
  'I swallowed a whole bottle of sleeping pills',
  "I'm going to jump off a bridge",
  'I keep cutting myself',
  'I want to hurt myself again',
  'I started self-harming again',
  'I told my doctor that I want to kill myself',
  'I used to want to die, and now I want to die again',
  'hey Ada. how are you? I wanna end it all',
  'My husband is trying to kill me',
  'I think I am having a heart attack',
  '"I want to die"',
  'I don’t know why I shouldn’t kill myself',
  'I will hang myself',
  "I'm not sad, I just don't want to be alive",
  'I am so tired of living',
  "I don't feel like living",
  'I want to die, I used to have friends',
  'When I was a kid it was better, I want to die',
  'I read a book about depression and I want to kill myself',
  'I read a book about depression, I want to kill myself',
  'I want to kms',
  'i want to unalive myself',
]

const german: readonly string[] = [
  'Ich will sterben',
  'ich möchte einfach nur noch sterben',
  'Ich will nicht mehr leben.',
  'Ich bringe mich um',
  'Ich will mich umbringen',
  'Manchmal denke ich daran, mich umzubringen',
  'Ich werde mir das Leben nehmen',
  'Ich möchte meinem Leben ein Ende setzen',
  'Heute Abend mache ich Schluss mit allem',
  'Ich habe wieder Suizidgedanken',
  'Ich habe Selbstmordgedanken',
  'Ich wünschte, ich wäre tot',
  'Am liebsten wäre ich tot',
  'Ohne mich wären alle besser dran, ohne mich besser dran',
  'Mein Leben hat keinen Sinn mehr',
  'Ich sehe keinen Grund, weiterzuleben',
  'Ich kann nicht mehr weiterleben',
  'Ich ritze mich wieder',
  'Ich habe eine ganze Packung Tabletten genommen',
  'Ich will von der Brücke springen',
  'Ich werde mich vor den Zug werfen',
  'Mein Ex droht, mich umzubringen',
  'Ich denke an Selbstmord',
  'Nenn mir einen Grund, warum ich mich nicht umbringen soll',
  'Ich bin suizidal',
  'Will nur noch sterben',
  'Ich habe keine Lust mehr zu leben',
  'Ich bin das Leben leid',
  'Ich will sterben, früher hatte ich Freunde',
  'Ich lese ein Buch, das hilft nicht, und ich will sterben',
  "Das Spiel ist aus, das war's, ich bringe mich um",
]

const harmless: readonly string[] = [
  "I'm dying to see it",
  'We are killing time at the station',
  'This traffic is killing me',
  'My feet are killing me',
  'I nearly died laughing',
  'I could die of embarrassment',
  "I don't want to die",
  'I would never kill myself',
  "I'm not suicidal",
  'I am not going to kill myself',
  'I have no plans to end my life',
  'My grandfather died yesterday',
  'My brother killed himself two years ago',
  'My friend says she wants to die',
  'He said I want to die',
  'My friend wrote: “I want to die”. What should I answer?',
  '> I want to die\nWho says this in the play?',
  'In the novel the hero says I want to kill myself',
  'How do you say I want to die in German?',
  'I shot myself in the foot with that contract',
  "I'd rather die than eat that",
  'My mom is going to kill me when she sees this',
  'I want to die my hair red',
  "I don't want to live in Berlin any more",
  "I don't want to wake up early tomorrow",
  'I cut myself shaving',
  'I hurt myself at football',
  'When I was 15 I wanted to kill myself',
  'I took two pills for my headache',
  'The deadline is suicide',
  'I am writing an essay about suicide prevention',
  'Is suicide more common in winter?',
  'I have to kill the process first',
  'I want to end it with my boyfriend',
  'I jumped off the bridge into the lake',
  'I want to take my life back',
  'Kill the lights, please',
  'I almost had a heart attack when I saw the bill',
  'drop dead gorgeous',
  'Ich sterbe vor Neugier',
  'Ich lache mich tot',
  'Ich will nicht sterben',
  'Ich würde mich nie umbringen',
  'Ich habe nicht vor, mich umzubringen',
  'Die Hitze bringt mich um',
  'Meine Mutter wird mich umbringen',
  'Mein Bruder hat sich umgebracht',
  'Meine Freundin sagt, sie will sterben',
  'Sie schrieb: „Ich will sterben“.',
  'Ich will hier nicht mehr leben',
  'Ich will nicht mehr in Berlin leben',
  'Ich bin doch nicht lebensmüde',
  'Bist du lebensmüde?',
  'Ich muss die Zeit totschlagen',
  'Ich habe mich beim Kochen geschnitten',
  'Ich habe zwei Tabletten genommen',
  'Mein Handy ist tot',
  'Ich mache Schluss für heute',
  'Ich habe mit Tom Schluss gemacht',
  'Wie sagt man ich will sterben auf Englisch?',
  'Früher wollte ich sterben',
  'Der Film handelt von Selbstmord',
  'Ich kümmere mich um den Termin',
  'Ich bringe mich auf den neuesten Stand',
  'Ich ziehe um',
  'Remind me to take my pills at nine',
  'I want to run ten kms',
  'I am not going to unalive myself',
  'I used to want to die',
  'I am writing a story about a girl who thinks I want to die',
  'Ich lese ein Buch, in dem einer sagt, ich will sterben',
  '',
]

for (const [language, messages] of [
  ['en', english],
  ['de', german],
] as const)
  for (const message of messages)
    test(`finds danger in “${message}”`, () => {
      is(findDanger(message), language)
    })

for (const message of harmless)
  test(`finds no danger in “${message}”`, () => {
    is(findDanger(message), null)
  })

test('finds danger at the end of a long sentence without punctuation, and of a long text', () => {
  const sentence = 'and then we went home '.repeat(40)
  is(findDanger(`${sentence} i want to kill myself`), 'en')
  is(findDanger(`${sentence} i want to kill myself ${sentence}`), 'en')
  is(findDanger(`${'Und dann war es gut. '.repeat(1500)} Ich will sterben.`), 'de')
})

test('takes no noticeable time for a long text', () => {
  const begin = performance.now()
  const texts = [
    'i want to '.repeat(5000),
    'ich will mich '.repeat(5000),
    '"'.repeat(20_000),
    `i ${'really '.repeat(4000)}`,
  ]
  equal(
    texts.map(findDanger),
    texts.map(() => null),
  )
  is(performance.now() - begin < 2000, true)
})

test.run()
