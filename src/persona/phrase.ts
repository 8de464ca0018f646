/**
 * The recovery phrase: 24 words that only the person has, and the recipient that everything sealed for it is
 * sealed to.
 */
import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'

export interface RecoveryPhrase {
  /** 24 words of the BIP-39 English list. Shown once, kept nowhere. */
  readonly phrase: string
  /** An age X25519 recipient (`age1…`): seals, cannot open. */
  readonly recipient: string
}

/** What is wrong with words that were typed. Never holds one of them. */
export type PhraseFault =
  | { readonly code: 'count'; readonly words: number }
  /** Places from 1. */
  | { readonly code: 'unknown'; readonly places: readonly number[] }
  | { readonly code: 'checksum' }

export type ReadPhrase =
  | { readonly phrase: string; readonly entropy: Uint8Array; readonly fault?: undefined }
  | { readonly fault: PhraseFault }

const length = 24

/**
 * Milliseconds do not matter here, strength does: RFC 9106's second choice of parameters, salted for this one
 * use.
 */
const derivation = {
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 4,
  hashLength: 32,
  salt: Buffer.from('daimon diary v1'),
} as const

// One at a time: four at once keep the threads that write to the disk from their work.
const alone = pLimit(1)

export const newPhrase = async (): Promise<RecoveryPhrase> => {
  const { entropyToMnemonic, wordlist } = await english()
  const entropy = randomBytes(32)
  return { phrase: entropyToMnemonic(entropy, wordlist), recipient: await recipientOf(entropy) }
}

/**
 * The words as a person types them: any case, spaces, line ends, commas, quotes, numbers before them,
 * accents, only the first four letters. Nothing is derived here, so a mistyped phrase costs nothing.
 */
export const readPhrase = async (typed: string): Promise<ReadPhrase> => {
  const { mnemonicToEntropy, wordlist } = await english()
  const words = wordsOf(typed)
  if (words.length !== length) return { fault: { code: 'count', words: words.length } }
  const known = words.map((word) =>
    wordlist.includes(word)
      ? word
      : (word.length > 3 && wordlist.find((whole) => whole.startsWith(word))) || '',
  )
  const places = known.flatMap((word, n) => (word === '' ? [n + 1] : []))
  if (places.length > 0) return { fault: { code: 'unknown', places } }
  const phrase = known.join(' ')
  try {
    return { phrase, entropy: mnemonicToEntropy(phrase, wordlist) }
  } catch {
    return { fault: { code: 'checksum' } }
  }
}

/** What is wrong, and what to do, for the person who typed it. */
export const tellFault = (fault: PhraseFault): string => {
  switch (fault.code) {
    case 'count': {
      const many = fault.words === 1 ? 'this is one' : `these are ${fault.words}`
      return `A recovery phrase has ${length} words, and ${many}. Look whether one is missing, or there twice.`
    }
    case 'unknown': {
      const one = fault.places.length === 1
      return `${one ? 'Word' : 'Words'} ${listed(fault.places)} ${one ? 'is' : 'are'} not in the list. Look at how ${one ? 'it is' : 'they are'} spelled.`
    }
    case 'checksum':
      return `All ${length} words are in the list, but not together like this. One may have been taken for another, or two have changed places: compare them with what you wrote down.`
  }
}

/**
 * From the 256 bits behind the words, by argon2id: an age identity (`AGE-SECRET-KEY-1…`), which opens what is
 * sealed for it.
 */
export const identityOf = (entropy: Uint8Array): Promise<string> => alone(derive, entropy)

export const recipientOf = async (entropy: Uint8Array): Promise<string> =>
  recipientFor(await identityOf(entropy))

/** Whom an identity opens for. */
export const recipientFor = async (identity: string): Promise<string> => {
  const { identityToRecipient } = await import('age-encryption')
  return identityToRecipient(identity)
}

const derive = async (entropy: Uint8Array): Promise<string> => {
  const [{ default: argon2 }, { bech32 }] = await Promise.all([import('argon2'), import('@scure/base')])
  const seed = await argon2.hash(Buffer.from(entropy), { ...derivation, raw: true, type: argon2.argon2id })
  return bech32.encodeFromBytes('AGE-SECRET-KEY-', seed).toUpperCase()
}

const english = async () => {
  const [bip39, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ])
  return { ...bip39, wordlist }
}

/**
 * Letters as they look on any keyboard; whatever is neither letter nor digit stands between words, and a
 * number stands before one.
 */
const wordsOf = (typed: string): readonly string[] =>
  typed
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/^\d{1,2}/, ''))
    .filter((word) => word !== '')

const listed = (places: readonly number[]): string =>
  places.length < 2 ? places.join() : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
