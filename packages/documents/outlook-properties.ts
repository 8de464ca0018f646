/** Reads the properties of an Outlook mail, its recipients and its attachments (MS-OXMSG 2.4). */
import type { CompoundFile } from './compound-file.ts'
import { decodeBytes } from './encodings.ts'
import { codePageLabel, languageLabel } from './rtf-charsets.ts'

/** Property ids (MS-OXPROPS). */
export const ids = {
  subject: 0x0037,
  submitTime: 0x0039,
  deliveryTime: 0x0e06,
  headers: 0x007d,
  sentForName: 0x0042,
  sentForAddress: 0x0065,
  sentForSmtp: 0x5d02,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  senderSmtp: 0x5d01,
  body: 0x1000,
  html: 0x1013,
  rtf: 0x1009,
  codePage: 0x3ffd,
  language: 0x3ff1,
  htmlCodePage: 0x3fde,
  recipientType: 0x0c15,
  displayName: 0x3001,
  address: 0x3003,
  smtp: 0x39fe,
  fileName: 0x3707,
  shortFileName: 0x3704,
  data: 0x3701,
  mediaType: 0x370e,
  contentId: 0x3712,
  isHidden: 0x7ffe,
} as const

export const types = {
  integer: 0x0003,
  boolean: 0x000b,
  ansi: 0x001e,
  unicode: 0x001f,
  time: 0x0040,
  binary: 0x0102,
  object: 0x000d,
}

export const propertiesStream = '__properties_version1.0'

/** Bytes before the properties of a message, an inner message, and a recipient or attachment. */
const headerSizes = { message: 32, innerMessage: 24, part: 8 }

export interface Properties {
  /** TextDecoder label for texts that are not Unicode. */
  readonly codePage: string
  integer(id: number): number | undefined
  isTrue(id: number): boolean
  time(id: number): Date | undefined
  text(id: number): string | undefined
  binary(id: number): Buffer | undefined
}

export const openProperties = (
  file: CompoundFile,
  folder: string,
  kind: keyof typeof headerSizes,
  codePage?: string,
): Properties => {
  const fixedValues = readFixed(file.read(folder + propertiesStream), headerSizes[kind])
  const integer = (id: number) => fixedValues.get(toTag(id, types.integer))?.readInt32LE(0)
  const stream = (id: number, type: number) => file.read(folder + streamName(id, type))
  const label = codePage ?? getLabel(integer(ids.codePage), integer(ids.language))
  return {
    codePage: label,
    integer,
    isTrue: (id) => fixedValues.get(toTag(id, types.boolean))?.[0] === 1,
    time: (id) => {
      const value = fixedValues.get(toTag(id, types.time))
      return value && toDate(value)
    },
    text: (id) => {
      const unicode = stream(id, types.unicode)
      if (unicode) return trimNull(unicode.toString('utf16le'))
      const ansi = stream(id, types.ansi)
      return ansi && trimNull(decodeBytes(ansi, label))
    },
    binary: (id) => stream(id, types.binary),
  }
}

/** Drafts have no code page. Outlook writes their text in the code page of the language. */
const getLabel = (codePage: number | undefined, language: number | undefined): string =>
  codePage === undefined && language !== undefined ? languageLabel(language) : codePageLabel(codePage)

const toTag = (id: number, type: number): number => id * 0x10000 + type

export const streamName = (id: number, type: number): string =>
  `__substg1.0_${toTag(id, type).toString(16).padStart(8, '0')}`

/** Reads values of 8 bytes by tag. Longer values have their own streams. */
const readFixed = (bytes: Buffer | undefined, headerSize: number): ReadonlyMap<number, Buffer> => {
  const values = new Map<number, Buffer>()
  for (let position = headerSize; bytes && position + 16 <= bytes.length; position += 16)
    values.set(bytes.readUInt32LE(position), bytes.subarray(position + 8, position + 16))
  return values
}

export const trimNull = (text: string): string => text.split('\0', 1)[0] ?? ''

/** The value counts units of 100 ns since 1601. */
const toDate = (value: Buffer): Date =>
  new Date(Number(value.readBigUInt64LE(0) / 10_000n) - 11_644_473_600_000)
