/** Creates a small life to encrypt, and forged diaries. */

import { createHash, hash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { type EventOf, type EventType, type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { encodeRecord } from '../../journal/log/record.ts'
import { encryptDiary, type MediaPlace, type Outline, surveyDiary } from '../../src/diary/encrypt-diary.ts'
import { addLengthPrefix, type Manifest } from '../../src/diary/format.ts'
import { born, createMessageHeard, factsByType } from '../journal/facts.ts'
import { chanceFrom } from '../random.ts'

export const temporary = (): Promise<string> => mkdtemp(join(tmpdir(), 'diary-'))

export interface Keys {
  readonly identity: string
  readonly recipient: string
}

export const newKeys = async (): Promise<Keys> => {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Returns the records of these facts, with the same bytes each time. */
export const createRecords = (
  events: readonly PersonaEvent[],
): { readonly values: readonly Buffer[]; readonly head: Head } => {
  let head = emptyHead
  const values = events.map((event, n) => {
    const [commit, salt] = ['commit', 'salt'].map((domain) =>
      createHash('sha256').update(`${domain} ${n}`).digest().subarray(0, 16),
    ) as [Buffer, Buffer]
    const record = encodeRecord(
      personaVocabulary,
      { commit, salt, cause: { by: 'person' }, at: 1_780_000_000_000 + n, offset: 120, event },
      head,
    )
    head = record.head
    return record.value
  })
  return { values, head }
}

/**
 * Returns a life with every kind of fact that a diary can hold, and `words` messages of `letters` letters.
 */
export const life = (wordCount: number, letters = 20): readonly PersonaEvent[] => [
  ...everyKind,
  ...Array.from({ length: wordCount }, (_, n) =>
    createMessageHeard(`${n} `.padEnd(letters, 'leaf '), `key ${n}`),
  ),
]

const createRecord = <T extends EventType>(type: T, change: Partial<EventOf<T>> = {}): EventOf<T> => ({
  ...factsByType[type],
  ...change,
})
const filename = `${hash('md5', 'a kite')}.png`
const file = factsByType.MessageHeard.media

/**
 * One fact of each kind in a valid order: references point to earlier facts. The message is the 14th, the
 * turn the 15th fact.
 */
export const everyKind: readonly PersonaEvent[] = [
  born,
  createRecord('OrganReplaced'),
  createRecord('OrganRemoved'),
  createRecord('ChannelAdded'),
  createRecord('ChannelPaired'),
  createRecord('ChannelTroubled'),
  createRecord('ChannelRecovered'),
  createRecord('StartAsked'),
  createRecord('WakingFailed'),
  createRecord('RestartAsked'),
  createRecord('Woke'),
  createRecord('OrganFailed'),
  createRecord('OrganRecovered'),
  createRecord('MessageHeard', { media: file && { ...file, filename } }),
  createRecord('TurnBegan', {
    channel: { type: 'web', name: 'ada' },
    stimuli: { after: 0, upTo: 14, due: [] },
    known: [],
  }),
  createRecord('MediaDescribed', { turn: 15, message: 14, filename }),
  createRecord('ModelAnswered', {
    turn: 15,
    step: 1,
    recipe: { parts: [14, 'ab'.repeat(32)], sent: 'ab'.repeat(32) },
  }),
  createRecord('ModelFailed'),
  createRecord('ToolCalled', { turn: 15, step: 1 }),
  createRecord('EntryPlanned'),
  createRecord('MemoryKept', { sources: [14] }),
  createRecord('InstructionLearned'),
  createRecord('ToolAnswered', { turn: 15, step: 1 }),
  createRecord('MessageSpoken', { turn: 15, step: 2, channel: { type: 'telegram', name: '-1007' } }),
  createRecord('TurnEnded', { turn: 15 }),
  createRecord('Delivered', { message: 24 }),
  createRecord('DeliveryFailed', { message: 24 }),
  createRecord('MemoryRevised', { sources: [14, 24] }),
  createRecord('MemoryForgotten'),
  createRecord('MemoryRestored', { sources: [14, 24] }),
  createRecord('HistoryFed'),
  createRecord('InstructionRevised'),
  createRecord('InstructionRemoved'),
  createRecord('EntryMoved'),
  createRecord('EntryDue'),
  createRecord('EntryDone'),
  createRecord('EntryCancelled'),
  createRecord('SleepBegan'),
  createRecord('ContextCarried', { upTo: 24 }),
  createRecord('DayClosed', { upTo: 24 }),
  createRecord('DiaryWritten', { upTo: 40 }),
  createRecord('SleepEnded'),
  createRecord('Lost'),
  createRecord('Salvaged', { kept: 42, lost: 1, first: 43 }),
  createRecord('PhraseChanged'),
  createRecord('Renamed'),
  createRecord('IdleTimeoutSet'),
  createRecord('StatusSet', { status: 'active' }),
  createRecord('ChannelRemoved'),
  createRecord('Stopped'),
  createRecord('StopAsked'),
  createRecord('PersonaRestored', { upTo: 51 }),
  createRecord('PersonaForked', { id: 'ada', at: 52 }),
  createRecord('MemoryProposed'),
  createRecord('ProposalSettled'),
  createRecord('PhraseConfirmed'),
  createRecord('Hosted'),
  createRecord('MemoryPinned'),
  createRecord('MindTested'),
  createRecord('PortraitChosen'),
  createRecord('PortraitRemoved'),
]

export const createOutline = (recipient: string, head: Head, id = 'ada'): Outline => ({
  format: 1,
  made: '2026-11-21T03:15:00.000Z',
  product: 'daimon',
  persona: { id, name: 'Ada', birthday: '2026-01-31', recipient },
  head,
  records: head.seq,
})

/** Writes files of these sizes in bytes, named like media. */
export const mediaIn = async (folder: string, sizes: readonly number[]): Promise<readonly MediaPlace[]> => {
  const chance = chanceFrom(7)
  const places = sizes.map((size, n) => {
    const filename = `${hash('md5', `file ${n}`)}.bin`
    return {
      filename,
      path: join(folder, filename),
      bytes: Buffer.alloc(size).map(() => chance.pickBetween(0, 255)),
    }
  })
  for (const { path, bytes } of places) await writeFile(path, bytes)
  return places.map(({ filename, path, bytes }) => ({ filename, path, bytes: bytes.length }))
}

export async function* paged(values: readonly Buffer[], size = 1000): AsyncGenerator<readonly Buffer[]> {
  for (let offset = 0; offset < values.length; offset += size) yield values.slice(offset, offset + size)
}

export interface TestDiary {
  readonly values: readonly Buffer[]
  readonly outline: Outline
  readonly manifest: Manifest
  readonly media: readonly MediaPlace[]
  readonly bytes: Buffer
}

/** Encrypts in this process. */
export const madeDiary = async (
  folder: string,
  recipient: string,
  events: readonly PersonaEvent[],
  sizes: readonly number[],
): Promise<TestDiary> => {
  const { values, head } = createRecords(events)
  const media = await mediaIn(folder, sizes)
  const outline = createOutline(recipient, head)
  const manifest = { ...outline, media: [...(await surveyDiary(media))] }
  const bytes = await joinPieces(encryptDiary(manifest, paged(values), (filename) => join(folder, filename)))
  return { values, outline, manifest, media, bytes }
}

export const joinPieces = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Encrypts any bytes like a diary. */
export const sealTar = async (recipient: string, tar: Uint8Array): Promise<Uint8Array> => {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return encrypter.encrypt(tar)
}

/** A file of a tar. Its header may contain false values. */
export interface Entry {
  readonly name: string
  readonly body?: Uint8Array | string
  readonly size?: number
  /**
   * `0` a file, `1` a hard link, `2` a symlink, `3` and `4` devices, `5` a folder, `x` and `g` attributes,
   * `L` a long name.
   */
  readonly kind?: string
  readonly link?: string
}

const endMark = Buffer.alloc(1024)

export const createTar = (entries: readonly Entry[], end: Uint8Array = endMark): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ body = '', ...entry }) => [
      header({ body, ...entry }),
      padBlock(Buffer.from(body)),
    ]),
    end,
  ])

const header = ({
  name,
  body = '',
  size = Buffer.byteLength(body),
  kind = '0',
  link = '',
}: Entry): Buffer => {
  const block = Buffer.alloc(512)
  block.write(name, 0, 100)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(kind, 156)
  block.write(link, 157, 100)
  block.write('ustar\x0000', 257)
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return block
}

const padBlock = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 511)])

export const chunk = (values: readonly Uint8Array[]): Buffer => Buffer.concat(values.map(addLengthPrefix))
