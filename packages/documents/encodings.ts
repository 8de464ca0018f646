/** Lists the supported text encodings and decodes bytes in a known encoding. */
import { TextDecoder } from 'node:util'

/**
 * Encodings that the detector may return: TextDecoder's label and a name for users. If several give the same
 * text, the first one is preferred.
 */
export const encodingNames = {
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  'windows-874': 'Windows-874',
  'iso-8859-2': 'ISO 8859-2',
  'iso-8859-5': 'ISO 8859-5',
  'iso-8859-6': 'ISO 8859-6',
  'iso-8859-7': 'ISO 8859-7',
  'iso-8859-8': 'ISO 8859-8',
  'iso-8859-15': 'ISO 8859-15',
  'koi8-r': 'KOI8-R',
  'koi8-u': 'KOI8-U',
  ibm866: 'IBM 866',
  shift_jis: 'Shift-JIS',
  'euc-jp': 'EUC-JP',
  'iso-2022-jp': 'ISO-2022-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
  'utf-8': 'UTF-8',
} as const satisfies Readonly<Record<string, string>>

export type EncodingLabel = keyof typeof encodingNames

/** Common names that TextDecoder does not know. */
export const encodingAliases: Readonly<Record<string, EncodingLabel>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp874: 'windows-874',
  cp1258: 'windows-1258',
}

/** Returns TextDecoder's label of an encoding, or null if the name is unknown. */
export const encodingLabel = (name: string): string | null => {
  const label = name.trim().toLowerCase()
  try {
    return new TextDecoder(encodingAliases[label] ?? label).encoding
  } catch {
    return null
  }
}

export const isEncodingLabel = (label: string): label is EncodingLabel => Object.hasOwn(encodingNames, label)

/** Replaces invalid bytes with U+FFFD. Throws RangeError for a label that TextDecoder does not know. */
export const decodeBytes = (bytes: Uint8Array, label: string): string => {
  const decoder = new TextDecoder(label)
  // Without `stream`, Node 20 decodes `windows-1252` as ISO 8859-1: 0x80 to 0x9f become control characters.
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

/** Like `decodeBytes`, chunk by chunk. */
export const decodeChunks = async function* (
  chunks: AsyncIterable<Uint8Array>,
  label: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
