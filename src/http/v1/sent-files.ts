/**
 * Reads the files of a request. A picture stays a picture. The text of a document is extracted in a separate
 * process, which reads it from a file in the trash folder. That file is deleted before the model is called.
 */
import * as z from 'zod'
import type { Sensed } from '../../../packages/documents/file-kind.ts'
import { getKind } from '../../../packages/documents/formats.ts'
import { detectMediaType } from '../../../packages/models/media-type.ts'
import { explainUnopened } from '../../agents/perceive.ts'
import type { Attachments, FileText } from '../../mind/prompt/caller-prompt.ts'
import { attribute, cutTo } from '../../mind/prompt/marked-data.ts'
import { withNote } from '../../mind/research.ts'
import { HttpRefused } from '../refused.ts'
import type { RouteDeps } from '../route.ts'
import { orCutShort } from '../server/client-abort.ts'
import type { CutUrls } from '../server/data-urls.ts'
import {
  type DataError,
  isPictureType,
  type Pictures,
  readData,
  readPictures,
  type SentPicture,
} from './sent-pictures.ts'

/** Fields of a file in both formats of OpenAI's API. */
export const SentFileFields = z.object({
  filename: z.string().nullish(),
  file_data: z
    .string()
    .nullish()
    .describe('Base64, alone or as a data: URL. The name and the content decide how the file is read.'),
  file_id: z.string().nullish().describe('Refused: no files are stored.'),
  file_url: z.string().nullish().describe('Refused: nothing is fetched.'),
})

/** A picture or a file of a message. `param` is the path of its data in the request. */
export interface SentPart {
  readonly url: string
  readonly file?: { readonly name: string; readonly param: string }
}

/** `param`: the path of the fields. Throws file_refused. */
export const toSentFile = (
  { filename, file_data: data, file_id: id, file_url: url }: z.infer<typeof SentFileFields>,
  param: string,
): SentPart => {
  if (id)
    throw refuseFile(`${param}.file_id`, 'No files are stored. Send the content of the file in file_data.')
  if (url)
    throw refuseFile(`${param}.file_url`, 'Nothing is fetched. Send the content of the file in file_data.')
  const dataParam = `${param}.file_data`
  if (typeof data !== 'string') throw refuseFile(dataParam, `A file is sent in file_data, as ${form}.`)
  const file = { name: filename || 'file', param: dataParam }
  return { url: data.includes(':') ? data : `data:;base64,${data}`, file }
}

export interface ReadParts {
  /** Returns the attachments of the parts from `first` to before `end`. */
  slice(first: number, end: number): Attachments
  /** Size of the long pictures. */
  readonly bytes: number
}

interface Source extends Pick<RouteDeps, 'config' | 'documents' | 'personas'> {
  /** The long URLs. */
  readonly cut: CutUrls
  readonly signal: AbortSignal
}

/** Max files of a request, because each starts a process. */
const maxFiles = 20
/** Max UTF-16 units of the text of a file, as for files of messages. */
const maxTextUnits = 60_000

/**
 * Reads the parts, and removes the pictures from the disk after the work. Throws file_refused,
 * picture_refused, body_too_large, JournalUnavailable, cut_short, or the error of the work.
 */
export const withParts = async <T>(
  sentParts: readonly SentPart[],
  source: Source,
  work: (parts: ReadParts) => Promise<T>,
): Promise<T> => {
  const { drop, ...parts } = await orCutShort(source.signal, readParts(sentParts, source))
  try {
    return await work(parts)
  } finally {
    await drop()
  }
}

const readParts = async (
  parts: readonly SentPart[],
  source: Source,
): Promise<ReadParts & Pick<Pictures, 'drop'>> => {
  const excessFile = parts.flatMap(({ file }) => file ?? [])[maxFiles]
  if (excessFile) throw refuseFile(excessFile.param, `At most ${maxFiles} files are taken.`)
  const texts = new Map<SentPart, FileText>()
  const sentPictures = new Map<SentPart, SentPicture>()
  for (const part of parts) {
    const { url, file } = part
    const text = file && (await readFile(url, file, source))
    if (text) texts.set(part, text)
    else sentPictures.set(part, file ? { url, name: attribute(file.name) } : { url })
  }
  const pictures = await readPictures([...sentPictures.values()], {
    cut: source.cut,
    stage: source.personas.stageMedia,
  })
  const pictureParts = [...sentPictures.keys()]
  return {
    slice: (first, end) => {
      const selectedParts = parts.slice(first, end)
      return {
        pictures: pictures.shown.filter((_, n) => selectedParts.some((part) => part === pictureParts[n])),
        files: selectedParts.flatMap((part) => texts.get(part) ?? []),
      }
    },
    bytes: pictures.bytes,
    drop: pictures.drop,
  }
}

/** Returns null for a picture. */
const readFile = async (
  url: string,
  { name, param }: NonNullable<SentPart['file']>,
  { cut, config, documents, personas, signal }: Source,
): Promise<FileText | null> => {
  const quotedName = `“${attribute(name)}”`
  if (url.endsWith(',')) throw refuseFile(param, `There is nothing in ${quotedName}: the file is empty.`)
  const data = readData(url, cut.get(url))
  if ('error' in data) throw refuseFile(param, `${quotedName} ${dataErrors[data.error]}`)
  const { pieces } = data
  const [firstPiece = Buffer.alloc(0)] = pieces()
  if (isPictureType(await detectMediaType(firstPiece))) return null
  async function* readPieces() {
    let bytes = 0
    for (const piece of pieces()) {
      bytes += piece.length
      if (bytes > config.limits.upload)
        throw new HttpRefused({
          code: 'body_too_large',
          what: `file in ${param}`,
          most: config.limits.upload,
        })
      signal.throwIfAborted()
      yield piece
    }
  }
  const stagedFile = await personas.stageMedia(readPieces())
  try {
    const format = getFormat(await documents.sense(stagedFile.path, name, signal), quotedName, param)
    const extracted = await documents.read(stagedFile.path, format, signal)
    if (extracted.kind === 'refused')
      throw refuseFile(param, `${quotedName} could not be read: ${extracted.words}.`)
    return { name, text: withNote(cutTo(extracted.text, maxTextUnits), extracted.note) }
  } finally {
    await stagedFile.drop()
  }
}

const getFormat = (content: Sensed, quotedName: string, param: string) => {
  switch (content.kind) {
    case 'document':
      return content.format
    case 'contradiction':
    case 'binary':
      throw refuseFile(param, explainUnopened(quotedName, content))
    case 'absent':
      throw refuseFile(param, `${quotedName} cannot be found any more. Send it again.`)
    default:
      throw refuseFile(
        param,
        `${quotedName} is ${getKind(content.format).called}: documents, and PNG, JPEG, GIF or WebP pictures are read here.`,
      )
  }
}

const form = 'base64 or a data: URL like data:application/pdf;base64,…'

/** Each sentence continues after the name of the file. */
const dataErrors: Readonly<Record<DataError, string>> = {
  address: `is not fetched: send it as ${form}.`,
  form: `cannot be read: send it as ${form}.`,
  incomplete: 'cannot be read: its data is not complete base64.',
}

export const refuseFile = (param: string, why: string): HttpRefused =>
  new HttpRefused({ code: 'file_refused', param, why })
