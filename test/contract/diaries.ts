/** Exports and migrates diaries. Provides recovery phrases with their keys, derived once. */
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { Decrypter } from 'age-encryption'
import { unpackTar } from 'modern-tar'
import type { RecoveryPhrase } from '../../src/persona/phrase.ts'
import { call, waitFor } from '../calls.ts'
import { unusedRecipient } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'
import { listenTo } from '../listener.ts'
import type { Answer } from './setup.ts'

export interface Keys extends RecoveryPhrase {
  /** The age identity that is derived from the phrase. */
  readonly identity: string
}

/** The first phrase of the persona, the next one, and one of another persona. */
export const [first, second, foreign] = [
  {
    phrase:
      'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
    identity: 'AGE-SECRET-KEY-1KHSNYTUEF5QR40SKNMU386GLXL3X7KERAXMLQ05JZE5HNSVXPTWQ0PGD95',
    recipient: 'age1sjxvds2duju4dkazljqmx5sckgf3zq996pl0vjad27cm384v2gtsxdgkhl',
  },
  {
    phrase:
      'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside',
    identity: 'AGE-SECRET-KEY-1A777YYTEL2MRYA3MA0SXAS8FCY3GXWTWG8FHP8Y2WKE8W2F9ACNSWV4R6L',
    recipient: 'age1hlm3ww6h0vfhxrwnj9a3ke785m2dtmykm2ucpq48r46k5ag9sa7sukvjx9',
  },
  {
    phrase:
      'all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing advance salt reform',
    identity: 'AGE-SECRET-KEY-1Y4JCQZF2RAYYSPUY5VTKYGRMZW0HSNEFDUJYUAP0YYGD7JAT87HSN0QQ4W',
    recipient: 'age1gs3xazd6vr4x6kd299wg0ekgdqj2s02smg6s7uumxyg3a96ycpzqvf9j0h',
  },
] as const satisfies readonly Keys[]

/** The phrase of seeded personas. */
export const nobodys: Keys = {
  phrase: `${'abandon '.repeat(23)}art`,
  identity: 'AGE-SECRET-KEY-1MFPPT70PH8CRXJWU9DX3Z98LYMNRYG7KRH3T78TCJCLHSWZW7WUQLUZGW2',
  recipient: unusedRecipient,
}

/** Replaces the creation of a phrase, to skip the key derivation. */
export const firstPhrase = async (): Promise<RecoveryPhrase> => first

interface Place {
  readonly url: string
  readonly port: number
}

export const exportDiary = async ({ url }: Place, id: string): Promise<Buffer> => {
  const response = await fetch(`${url}/api/persona/${id}/export`)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`not exported: ${response.status} ${bytes}`)
  return bytes
}

export interface DiaryUpload {
  readonly diary?: Buffer | string | undefined
  readonly filename?: string
  readonly phrase?: string | undefined
  readonly model?: string | undefined
  readonly [field: string]: Buffer | string | undefined
}

/** Creates the form. Fields that are undefined are left out. */
export const createMigrationForm = ({ filename = 'hers.diary', diary, ...texts }: DiaryUpload) => {
  const file =
    diary === undefined ? [] : [{ name: 'diary', filename, type: 'application/octet-stream', content: diary }]
  const fields = Object.entries({ phrase: first.phrase, model: 'llama', ...texts })
  return toForm([
    ...file,
    ...fields.flatMap(([name, content]) => (content === undefined ? [] : [{ name, content }])),
  ])
}

export const migrate = async ({ port }: Place, parcel: DiaryUpload): Promise<Answer> => {
  const { status, text } = await ask(port, {
    method: 'POST',
    path: '/api/persona/migrate',
    signal: AbortSignal.timeout(60_000),
    ...createMigrationForm(parcel),
  })
  return [status, JSON.parse(text)]
}

export interface Unpacked {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the manifest
  readonly manifest: any
  /** Type and fields of each fact, in order. */
  readonly facts: readonly { readonly type: string; readonly [field: string]: unknown }[]
  /** SHA-256 of the last header. */
  readonly head: string
  readonly media: ReadonlyMap<string, Buffer>
}

/**
 * Unpacks a diary with age and tar alone, as `docs/reference/files.md` says. Throws if the key does not fit.
 */
export const unpacked = async (
  diary: Uint8Array,
  { identity }: Pick<Keys, 'identity'>,
): Promise<Unpacked> => {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const files = (await unpackTar(await decrypter.decrypt(diary), { strict: true })).map(
    ({ header, data = new Uint8Array() }) => ({
      name: header.name,
      bytes: Buffer.from(data),
    }),
  )
  const listIn = (folder: string) => files.filter(({ name }) => name.startsWith(folder))
  const facts: Unpacked['facts'][number][] = []
  let head = '0'.repeat(64)
  for (const { bytes } of listIn('journal/')) {
    for (let offset = 0; offset < bytes.length; offset += 4 + bytes.readUInt32BE(offset)) {
      const [header, salt, payload] = decode(
        bytes.subarray(offset + 4, offset + 4 + bytes.readUInt32BE(offset)),
      ) as Buffer[]
      const fields = decode(header as Buffer) as unknown[]
      const seq = fields[1]
      const type = fields[3]
      const prev = fields[8]
      const mark = fields[9]
      if (
        seq !== facts.length + 1 ||
        hex(prev) !== head ||
        hex(mark) !== sha(salt as Buffer, payload as Buffer)
      )
        throw new Error(`record ${seq} is damaged`)
      head = sha(header as Buffer)
      facts.push({ ...(decode(payload as Buffer) as object), type: String(type) })
    }
  }
  return {
    manifest: JSON.parse(String(files[0]?.bytes)),
    facts,
    head,
    media: new Map(listIn('media/').map(({ name, bytes }) => [name.slice('media/'.length), bytes])),
  }
}

const sha = (...pieces: readonly Uint8Array[]): string => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex')

/** Returns the frames of all facts without adding one. */
export const readFrames = async ({ url }: Place, id: string) => {
  const { events } = (await call(url, 'POST', `/api/persona/${id}/verify`)).body
  const listener = await listenTo(url, `/ws/${id}?after=0`)
  try {
    await waitFor('the last fact', () => listener.frames.some(({ seq }) => seq >= events))
    return listener.frames.filter(({ seq }) => typeof seq === 'number')
  } finally {
    listener.leave()
  }
}

/** Maps every file under a folder to its modification time and SHA-256, and every folder to `folder`. */
export const readFileStates = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(folder, { recursive: true })).sort()
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => {
      const stats = await lstat(join(folder, name))
      return [
        name,
        stats.isDirectory() ? 'folder' : `${stats.mtimeMs} ${sha(await readFile(join(folder, name)))}`,
      ]
    }),
  )
  return new Map(entries)
}
