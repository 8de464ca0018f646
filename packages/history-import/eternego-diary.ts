/**
 * A diary of Eternego: the zip of a persona's home in a Fernet token, under a key that is made of the
 * recovery phrase and the id of the persona, which is the name of the file. Sources:
 * application/platform/crypto.py and application/core/system.py of Eternego-AI/eternego;
 * github.com/fernet/spec.
 */
import { createDecipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { feedLimits, Unreadable } from './unreadable.ts'

/** Version 0x80 and a time before the year 2106, in base64. */
export const isDiary = (head: Buffer): boolean => head.toString('latin1', 0, 5) === 'gAAAA'

interface Locked {
  readonly path: string
  readonly name?: string | undefined
  readonly phrase?: string | undefined
}

const iterations = 480_000
const version = 1 + 8 + 16
const tag = 32

/** Returns the zip in it. Throws `Unreadable` `locked` if the phrase is wrong or missing. */
export const openDiary = async ({ path, name = '', phrase = '' }: Locked): Promise<Buffer> => {
  const words = phrase.trim().split(/\s+/).join(' ')
  if (words === '') throw new Unreadable('locked')
  if ((await stat(path)).size > feedLimits.diary) throw new Unreadable('too_large')
  const token = Buffer.from(await readFile(path, 'latin1'), 'base64url')
  if (token.length < version + tag) throw new Unreadable('damaged')
  const id = name.replace(/\.diary$/i, '')
  const key = await promisify(pbkdf2)(words, id, iterations, 32, 'sha256')
  const signedBytes = token.subarray(0, -tag)
  const signature = createHmac('sha256', key.subarray(0, 16)).update(signedBytes).digest()
  if (!timingSafeEqual(signature, token.subarray(-tag))) throw new Unreadable('locked')
  const decipher = createDecipheriv('aes-128-cbc', key.subarray(16), signedBytes.subarray(9, version))
  return Buffer.concat([decipher.update(signedBytes.subarray(version)), decipher.final()])
}
