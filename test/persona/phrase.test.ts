import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { test } from 'uvu'
import { is, match, not } from 'uvu/assert'
import { newPhrase, recipientOf } from '../../src/persona/phrase.ts'

test('a phrase is 24 words of the list with a checksum that holds, and another one each time', async () => {
  const [one, two] = await Promise.all([newPhrase(), newPhrase()])
  is(one.phrase.split(' ').length, 24)
  is(mnemonicToEntropy(one.phrase, wordlist).length, 32)
  not.equal(one.phrase, two.phrase)
  not.equal(one.recipient, two.recipient)
})
test('the recipient follows from the words alone', async () => {
  const { phrase, recipient } = await newPhrase()
  match(recipient, /^age1[0-9a-z]{58}$/)
  is(await recipientOf(mnemonicToEntropy(phrase, wordlist)), recipient)
})
test('the derivation is fixed for ever', async () => {
  const entropy = mnemonicToEntropy('abandon '.repeat(23) + 'art', wordlist)
  is(await recipientOf(entropy), 'age14kxrph3hahlss7w2efpjua5yketj6f98rnmz49965gl9c982kp7q23yt9c')
})

test.run()
