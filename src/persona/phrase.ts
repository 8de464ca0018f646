/** The recovery phrase: 24 words that only the person has, and the recipient that everything sealed for her is sealed to. */
import { randomBytes } from 'node:crypto'

export interface RecoveryPhrase {
  /** 24 words of the BIP-39 English list. Shown once, kept nowhere. */
  readonly phrase: string
  /** An age X25519 recipient (`age1…`): seals, cannot open. */
  readonly recipient: string
}

/** Milliseconds do not matter here, strength does: RFC 9106's second choice of parameters, salted for this one use. */
const derivation = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 4, hashLength: 32, salt: Buffer.from('daimon diary v1') } as const

// One at a time: four at once keep the threads that write to the disk from their work.
let deriving: Promise<unknown> = Promise.resolve()

export const newPhrase = async (): Promise<RecoveryPhrase> => {
  const [{ entropyToMnemonic }, { wordlist }] = await Promise.all([import('@scure/bip39'), import('@scure/bip39/wordlists/english.js')])
  const entropy = randomBytes(32)
  return { phrase: entropyToMnemonic(entropy, wordlist), recipient: await recipientOf(entropy) }
}

/** From the 256 bits behind the words: argon2id, then the key of an age identity. */
export const recipientOf = (entropy: Uint8Array): Promise<string> => {
  const mine = deriving.then(() => derive(entropy))
  deriving = mine.catch(() => undefined)
  return mine
}

const derive = async (entropy: Uint8Array): Promise<string> => {
  const [{ default: argon2 }, { bech32 }, { identityToRecipient }] = await Promise.all([
    import('argon2'),
    import('@scure/base'),
    import('age-encryption'),
  ])
  const seed = await argon2.hash(Buffer.from(entropy), { ...derivation, raw: true, type: argon2.argon2id })
  return identityToRecipient(bech32.encodeFromBytes('AGE-SECRET-KEY-', seed).toUpperCase())
}
