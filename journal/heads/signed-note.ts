/**
 * Checkpoints of a log of heads, as signed notes: the formats c2sp.org/tlog-checkpoint and
 * c2sp.org/signed-note, with Ed25519.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { hashBytes } from './merkle-hashes.ts'

/** The root of a log at a size. `origin` names the log. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

const ed25519 = 1
const keyBytes = 32
const keyIdBytes = 4
/** DER of an Ed25519 public key, up to its bytes (RFC 8410). */
const publicKeyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

const signAsync = promisify(sign)
const verifyAsync = promisify(verify)

export const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicKeyPrefix.length)

const keyId = (name: string, key: Uint8Array): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.of(ed25519))
    .update(key)
    .digest()
    .subarray(0, keyIdBytes)

/** Returns the public key as text: name, key id and key, as in the note format of C2SP. */
export const formatVerifierKey = (name: string, key: Uint8Array): string =>
  `${name}+${keyId(name, key).toString('hex')}+${Buffer.from([ed25519, ...key]).toString('base64')}`

export interface VerifierKey {
  readonly name: string
  readonly id: Buffer
  readonly key: KeyObject
}

/** Returns undefined if the text is no Ed25519 key in this format. */
export const parseVerifierKey = (text: string): VerifierKey | undefined => {
  const [, name = '', id = '', key = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length !== 1 + keyBytes || bytes[0] !== ed25519) return undefined
  const raw = bytes.subarray(1)
  if (keyId(name, raw).toString('hex') !== id) return undefined
  const der = Buffer.concat([publicKeyPrefix, raw])
  return { name, id: Buffer.from(id, 'hex'), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

const formatText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** Signs a checkpoint. The name of the key is the origin. */
export const signCheckpoint = async (checkpoint: Checkpoint, privateKey: KeyObject): Promise<string> => {
  const text = formatText(checkpoint)
  const signature = await signAsync(null, Buffer.from(text), privateKey)
  const id = keyId(checkpoint.origin, publicBytes(privateKey))
  const line = Buffer.concat([id, signature]).toString('base64')
  return `${text}\n— ${checkpoint.origin} ${line}\n`
}

/** Max bytes of a note. It may have signatures of others. */
const maxNoteBytes = 64 * 1024

interface ParsedNote {
  readonly text: string
  readonly checkpoint: Checkpoint
  readonly signatures: readonly { readonly name: string; readonly id: Buffer; readonly bytes: Buffer }[]
}

/** Returns undefined if the text is no checkpoint. Checks no signature. */
export const parseCheckpoint = (note: string): ParsedNote | undefined => {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || note.length > maxNoteBytes) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', root = ''] = text.split('\n')
  const rootBytes = Buffer.from(root, 'base64')
  if (origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size) || rootBytes.length !== hashBytes) return undefined
  const lines = note.slice(end + 2).split('\n')
  if (lines.pop() !== '' || lines.length === 0) return undefined
  const signatures = lines.map((line) => {
    const [, name = '', signature = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
    const bytes = Buffer.from(signature, 'base64')
    return { name, id: bytes.subarray(0, keyIdBytes), bytes: bytes.subarray(keyIdBytes) }
  })
  if (signatures.some(({ name, bytes }) => name === '' || bytes.length === 0)) return undefined
  return { text, checkpoint: { origin, size: Number(size), root: rootBytes }, signatures }
}

/** Returns the checkpoint if the key signed it. */
export const openCheckpoint = async (note: string, key: VerifierKey): Promise<Checkpoint | undefined> => {
  const parsedNote = parseCheckpoint(note)
  if (!parsedNote) return undefined
  const { text, checkpoint, signatures } = parsedNote
  const ownSignatures = signatures.filter(({ name, id }) => name === key.name && id.equals(key.id))
  const results = await Promise.all(
    ownSignatures.map(({ bytes }) => verifyAsync(null, Buffer.from(text), key.key, bytes)),
  )
  return results.length > 0 && results.every(Boolean) ? checkpoint : undefined
}
