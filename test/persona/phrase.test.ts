import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Decrypter, Encrypter } from 'age-encryption'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import {
  deriveIdentity,
  deriveRecipient,
  formatPhraseFault,
  newPhrase,
  type PhraseFault,
  readPhrase,
} from '../../src/persona/phrase.ts'
import { createChance } from '../random.ts'

const phrasePromise = newPhrase()

test('a new phrase has 24 words of the list and a valid checksum, and differs each time', async () => {
  const firstPhrase = await phrasePromise
  const secondPhrase = await newPhrase()
  is(firstPhrase.phrase.split(' ').length, 24)
  is(mnemonicToEntropy(firstPhrase.phrase, wordlist).length, 32)
  not.equal(firstPhrase.phrase, secondPhrase.phrase)
  not.equal(firstPhrase.recipient, secondPhrase.recipient)
})
test('the recipient depends only on the phrase, which decrypts data encrypted for it', async () => {
  const { phrase, recipient } = await phrasePromise
  match(recipient, /^age1[0-9a-z]{58}$/)
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const decrypter = new Decrypter()
  decrypter.addIdentity(await deriveIdentity(mnemonicToEntropy(phrase, wordlist)))
  is(await decrypter.decrypt(await encrypter.encrypt('hers'), 'text'), 'hers')
})
test('the derivation never changes', async () => {
  const entropy = mnemonicToEntropy('abandon '.repeat(23) + 'art', wordlist)
  is(await deriveRecipient(entropy), 'age14kxrph3hahlss7w2efpjua5yketj6f98rnmz49965gl9c982kp7q23yt9c')
})

/** The 24-word test vectors of BIP-39. */
const vectors: readonly (readonly [entropy: string, phrase: string])[] = [
  ['00'.repeat(32), `${'abandon '.repeat(23)}art`],
  [
    '7f'.repeat(32),
    `${'legal winner thank year wave sausage worth useful '.repeat(2)}legal winner thank year wave sausage worth title`,
  ],
  [
    '80'.repeat(32),
    `${'letter advice cage absurd amount doctor acoustic avoid '.repeat(2)}letter advice cage absurd amount doctor acoustic bless`,
  ],
  ['ff'.repeat(32), `${'zoo '.repeat(23)}vote`],
  [
    '68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c',
    'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
  ],
  [
    '9f6a2878b2520799a44ef18bc7df394e7061a224d2c33cd015b157d746869863',
    'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside',
  ],
  [
    '066dca1a2bb7e8a1db2832148ce9933eea0f3ac9548d793112d9a95c9407efad',
    'all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing advance salt reform',
  ],
  [
    'f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f',
    'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold',
  ],
]

test('reads the test vectors of BIP-39', async () => {
  for (const [entropy, phrase] of vectors) {
    const readResult = await readPhrase(phrase)
    is(readResult.fault, undefined)
    if (!readResult.fault)
      equal([Buffer.from(readResult.entropy).toString('hex'), readResult.phrase], [entropy, phrase])
  }
})

const words = (vectors[4] as readonly [string, string])[1].split(' ')

test('ignores case, spacing and abbreviation of words', async () => {
  const withNumbers = (mark: (n: number) => string) => words.map((word, n) => `${mark(n + 1)}${word}`)
  const spellings = [
    `\n\t ${words.join('   \r\n')} \n`,
    words.join(' ').toUpperCase(),
    words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(', '),
    `“${words.join(' ')}”`,
    words.map((word) => `'${word}'`).join(';'),
    withNumbers((n) => `${n}. `).join('\n'),
    withNumbers((n) => `${n}) `).join(' '),
    withNumbers((n) => `${String(n).padStart(2, '0')}:`).join('  '),
    withNumbers((n) => `${n}.`).join(' '),
    withNumbers((n) => `#${n} – `).join('\n'),
    words.map((word) => word.slice(0, 4)).join(' '),
    words.map((word, n) => word.slice(0, 4 + (n % 3))).join(' '),
    words.join(' ').replaceAll('e', 'é').replaceAll('o', 'ö'),
    words
      .join('　')
      .replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
    `\uFEFF${words.join('\u00A0')}\u200B`,
    `${words.join(' - ')}.`,
  ]
  for (const spelling of spellings) {
    const readResult = await readPhrase(spelling)
    is(readResult.fault, undefined, spelling)
    if (!readResult.fault) is(readResult.phrase, words.join(' '))
  }
})

test('reports the error in a phrase by count, place or checksum, and never repeats a word of it', async () => {
  const getFault = async (phrase: string): Promise<PhraseFault | undefined> =>
    (await readPhrase(phrase)).fault
  const wrong = (...places: readonly number[]) =>
    words.map((word, n) => (places.includes(n + 1) ? 'xylophonist' : word)).join(' ')
  equal(await getFault(''), { code: 'count', words: 0 })
  equal(await getFault(' 1. 2. 3. '), { code: 'count', words: 0 })
  equal(await getFault(words.slice(1).join(' ')), { code: 'count', words: 23 })
  equal(await getFault(`${words.join(' ')} word`), { code: 'count', words: 25 })
  equal(await getFault(wrong(7)), { code: 'unknown', places: [7] })
  equal(await getFault(wrong(3, 7, 24)), { code: 'unknown', places: [3, 7, 24] })
  equal(await getFault(words.with(1, 'dia').join(' ')), { code: 'unknown', places: [2] })
  equal(await getFault(words.with(1, 'diagrams').join(' ')), { code: 'unknown', places: [2] })
  equal(await getFault(words.with(1, 'dia0gram').join(' ')), { code: 'unknown', places: [2] })
  equal(await getFault(words.with(1, 'диаграмма').join(' ')), { code: 'unknown', places: [2] })
  equal(await getFault([...words.slice(1), words[0]].join(' ')), { code: 'checksum' })
  match(formatPhraseFault({ code: 'unknown', places: [7] }), /^Word 7 is not in the list\. /)
  match(
    formatPhraseFault({ code: 'unknown', places: [3, 7, 24] }),
    /^Words 3, 7 and 24 are not in the list\. /,
  )
  match(formatPhraseFault({ code: 'count', words: 23 }), /these are 23\./)
  match(formatPhraseFault({ code: 'count', words: 1 }), /this is one\./)
  for (const phrase of [wrong(1), wrong(2, 3), 'xylophonist', [...words.slice(1), 'hamster'].join(' ')]) {
    const fault = await getFault(phrase)
    ok(fault)
    if (fault)
      not.match(`${JSON.stringify(fault)} ${formatPhraseFault(fault)}`, /xylo|hamster|diagram|toddler/)
  }
})

// Fails without the check of the checksum: swapped words gave an entropy, and therefore a derivation.
test('a mistyped phrase is rejected, unless its checksum happens to be valid', async () => {
  const chance = createChance('phrase: mistyped')
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  let passedCount = 0
  for (let n = 0; n < 1000; n++) {
    const right = entropyToMnemonic(
      Uint8Array.from({ length: 32 }, () => chance.pickBetween(0, 255)),
      wordlist,
    ).split(' ')
    const index = chance.pickBetween(0, 23)
    const otherIndex = chance.pickBetween(0, 23)
    const word = right[index] ?? ''
    const place = chance.pickBetween(0, word.length - 1)
    const letter = letters[chance.pickBetween(0, 25)] ?? ''
    const phrase = chance
      .pick([
        () => right.with(index, word.slice(0, place) + letter + word.slice(place + 1)),
        () => right.with(index, word.slice(0, place) + letter + word.slice(place)),
        () => right.with(index, word.slice(0, place) + word.slice(place + 1)),
        () => right.with(index, right[otherIndex] ?? '').with(otherIndex, word),
        () => right.toSpliced(index, 1),
        () => right.toSpliced(index, 0, word),
        () => right.with(index, wordlist[chance.pickBetween(0, 2047)] ?? ''),
      ])()
      .join(' ')
    const readResult = await readPhrase(phrase)
    if (readResult.fault) continue
    // A word without the letters after the fourth is still that word, and one of 256 others fits the
    // checksum.
    ok(validateMnemonic(readResult.phrase, wordlist))
    if (readResult.phrase !== right.join(' ')) passedCount++
  }
  ok(passedCount < 20, `${passedCount} of 1000`)
})

test.run()
