/** Asks a model about a document. Sends the file itself if the model accepts it, else the extracted text. */
import type { HeardMedia, Media, Seq } from '../../facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { DocumentFormat } from '../../packages/documents/formats.ts'
import type { Extracted } from '../../packages/documents/limits.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import { Unanswered } from './model-retries.ts'
import type { Organs } from './organ-calls.ts'
import { type Files, toShownFile } from './prompt/heard-files.ts'
import { attribute, cutTo, encloseInTag } from './prompt/marked-data.ts'
import { ownText } from './prompt/prompt-part.ts'

export interface Document {
  readonly media: Media & Partial<Pick<HeardMedia, 'charset'>>
  /** The message with the document. */
  readonly seq: Seq
  readonly format: DocumentFormat
  /** The encoding of plain text, if the user specified one. */
  readonly encoding?: string | undefined
}

export interface Means {
  readonly organs: Organs
  readonly files: Files
  readonly documents: Pick<Documents, 'read' | 'readText'>
  readonly signal: AbortSignal
}

/**
 * `unreadable`: the reason, as the end of a sentence that begins with the file's name. `note`: a note about
 * the extraction, see `Extracted`.
 */
export type ResearchResult =
  | { readonly answer: string; readonly calls: readonly OrganCall[]; readonly note?: string | undefined }
  | { readonly unreadable: string }

type Reader = 'researcher' | 'thinking'

/** In bytes. Larger files are never sent as they are. */
const maxWholeBytes = 20 * 1024 * 1024
/** UTF-16 units of text per prompt. Local models have a smaller context window. */
const maxReadUnits = { remote: 400_000, local: 40_000 }

/** A PDF with bytes before its header has another MIME type. Only the local PDF reader accepts it. */
export const isTakenAsItIs = async (
  reader: Reader,
  { media }: Document,
  { organs }: Means,
): Promise<boolean> =>
  media.mime === 'application/pdf' &&
  (media.bytes ?? 0) <= maxWholeBytes &&
  (await organs.takes(reader)).documents

/** Throws `Unanswered`, or the signal's reason. */
export const research = async (
  reader: Reader,
  { system, question }: { readonly system: string; readonly question: string },
  document: Document,
  means: Means,
): Promise<ResearchResult> => {
  const { organs, files } = means
  const { media, seq } = document
  const ask = (content: string, asItIs: readonly ReturnType<typeof toShownFile>[] = []) =>
    organs.ask(reader, { system, content, files: asItIs }, [
      ownText(system),
      ownText(question),
      { text: '', from: seq },
    ])

  const refusals: Unanswered[] = []
  if (await isTakenAsItIs(reader, document, means))
    try {
      const { value, used } = await ask(question, [toShownFile(media, files)])
      return { answer: value, calls: [{ used }] }
    } catch (error) {
      // The file has too many pages or is too large. Try the extracted text.
      if (!(error instanceof Unanswered) || error.failed.kind !== 'refused') throw error
      refusals.push(error)
    }
  const result = await readWords(document, means)
  if (result.kind === 'refused') {
    if (refusals[0]) throw refusals[0]
    return { unreadable: result.words }
  }
  const { note } = result
  const text = cutTo(result.text, organs.isRemote(reader) ? maxReadUnits.remote : maxReadUnits.local)
  const { value, used } = await ask(
    `${question}\n\n${encloseInTag('document', { name: attribute(media.name) }, withNote(text, note))}`,
  )
  return { answer: value, calls: [...refusals.map(({ failed }) => ({ failed })), { used }], note }
}

export const readWords = async (
  { media, format, encoding }: Pick<Document, 'media' | 'format' | 'encoding'>,
  { files, documents, signal }: Pick<Means, 'files' | 'documents' | 'signal'>,
): Promise<Extracted> => {
  const path = await files.path(media.filename)
  const charset = encoding ?? media.charset
  return format === 'text' && charset !== undefined
    ? documents.readText(path, charset, signal)
    : documents.read(path, format, signal)
}

/** Puts the note first, so that no limit cuts it off. */
export const withNote = (text: string, note: string | undefined): string =>
  note === undefined ? text : `[${note}]\n${text}`
