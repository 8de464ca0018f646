/** The recovery phrase: 24 words that only the user has, and the age recipient derived from them. */
import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'

export interface RecoveryPhrase {
  /** 24 words of the BIP-39 English list. Shown once, never stored. */
  readonly phrase: string
  /** An age X25519 recipient (`age1…`): can encrypt, cannot decrypt. */
  readonly recipient: string
}

/** Why a typed phrase is invalid. Never contains a word of it. */
export type PhraseFault =
  | { readonly code: 'count'; readonly words: number }
  /** Positions from 1. */
  | { readonly code: 'unknown'; readonly places: readonly number[] }
  | { readonly code: 'checksum' }

export type ReadPhrase =
  | { readonly phrase: string; readonly entropy: Uint8Array; readonly fault?: undefined }
  | { readonly fault: PhraseFault }

const wordCount = 24

/** Second recommended parameters of RFC 9106: strength matters here, speed does not. */
const derivation = {
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 4,
  hashLength: 32,
  salt: Buffer.from('daimon diary v1'),
} as const

// One at a time: four at once block the threads that write to the disk.
const limitOne = pLimit(1)

export const newPhrase = async (): Promise<RecoveryPhrase> => {
  const { entropyToMnemonic, wordlist } = await loadWordlist()
  const entropy = randomBytes(32)
  return { phrase: entropyToMnemonic(entropy, wordlist), recipient: await deriveRecipient(entropy) }
}

/**
 * Parses the words as typed: any case, spaces, line ends, commas, quotes, numbers, accents, or only the first
 * four letters. Does not derive the key, so a typo is cheap.
 */
export const readPhrase = async (typedPhrase: string): Promise<ReadPhrase> => {
  const { mnemonicToEntropy, wordlist } = await loadWordlist()
  const words = splitWords(typedPhrase)
  if (words.length !== wordCount) return { fault: { code: 'count', words: words.length } }
  const knownWords = words.map((word) =>
    wordlist.includes(word)
      ? word
      : (word.length > 3 && wordlist.find((listedWord) => listedWord.startsWith(word))) || '',
  )
  const places = knownWords.flatMap((word, n) => (word === '' ? [n + 1] : []))
  if (places.length > 0) return { fault: { code: 'unknown', places } }
  const phrase = knownWords.join(' ')
  try {
    return { phrase, entropy: mnemonicToEntropy(phrase, wordlist) }
  } catch {
    return { fault: { code: 'checksum' } }
  }
}

/** Explains the mistake to the user. */
export const formatPhraseFault = (fault: PhraseFault): string => {
  switch (fault.code) {
    case 'count': {
      const countText = fault.words === 1 ? 'this is one' : `these are ${fault.words}`
      return `A recovery phrase has ${wordCount} words, and ${countText}. Look whether one is missing, or there twice.`
    }
    case 'unknown': {
      const isSingle = fault.places.length === 1
      return `${isSingle ? 'Word' : 'Words'} ${joinPlaces(fault.places)} ${isSingle ? 'is' : 'are'} not in the list. Look at how ${isSingle ? 'it is' : 'they are'} spelled.`
    }
    case 'checksum':
      return `All ${wordCount} words are in the list, but not together like this. One may have been taken for another, or two have changed places: compare them with what you wrote down.`
  }
}

/** Derives the age identity (`AGE-SECRET-KEY-1…`) from the 256 bits of the phrase with argon2id. */
export const deriveIdentity = (entropy: Uint8Array): Promise<string> => limitOne(derive, entropy)

export const deriveRecipient = async (entropy: Uint8Array): Promise<string> =>
  recipientFor(await deriveIdentity(entropy))

/** Returns the recipient that an identity decrypts for. */
export const recipientFor = async (identity: string): Promise<string> => {
  const { identityToRecipient } = await import('age-encryption')
  return identityToRecipient(identity)
}

const derive = async (entropy: Uint8Array): Promise<string> => {
  const [{ default: argon2 }, { bech32 }] = await Promise.all([import('argon2'), import('@scure/base')])
  const seed = await argon2.hash(Buffer.from(entropy), { ...derivation, raw: true, type: argon2.argon2id })
  return bech32.encodeFromBytes('AGE-SECRET-KEY-', seed).toUpperCase()
}

const loadWordlist = async () => {
  const [bip39, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ])
  return { ...bip39, wordlist }
}

/** Normalizes letters, splits at all other characters, and drops numbers before words. */
const splitWords = (typedPhrase: string): readonly string[] =>
  typedPhrase
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/^\d{1,2}/, ''))
    .filter((word) => word !== '')

const joinPlaces = (places: readonly number[]): string =>
  places.length < 2 ? places.join() : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`
