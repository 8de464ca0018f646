/**
 * A document before a model that is asked about it: as it is where the model takes that, else as its words.
 */
import type { HeardMedia, Media, Seq } from '../../journal/facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { DocumentFormat } from '../../packages/documents/formats.ts'
import type { Extracted } from '../../packages/documents/limits.ts'
import type { OrganCall } from '../persona/rules/life.ts'
import type { Organs } from './organ-calls.ts'
import { type Files, shown } from './prompt/heard-files.ts'
import { attribute, cutTo, enclosed } from './prompt/marked-data.ts'
import { own } from './prompt/prompt-part.ts'
import { Unanswered } from './think.ts'

export interface Document {
  readonly media: Media & Partial<Pick<HeardMedia, 'charset'>>
  /** The message it came with. */
  readonly seq: Seq
  readonly format: DocumentFormat
  /** Of plain text, as the user names it. */
  readonly encoding?: string | undefined
}

export interface Means {
  readonly organs: Organs
  readonly files: Files
  readonly documents: Pick<Documents, 'read' | 'readText'>
  readonly signal: AbortSignal
}

/** `unreadable`: why, to go on after its name. `note`: about the reading, see `Extracted`. */
export type Researched =
  | { readonly answer: string; readonly calls: readonly OrganCall[]; readonly note?: string | undefined }
  | { readonly unreadable: string }

type Reader = 'researcher' | 'thinking'

/** Bytes: what is larger goes to nobody as it is. */
const mostAsItIs = 20 * 1024 * 1024
/** UTF-16 units of a text that is shown at once: a local model holds less in mind. */
const mostRead = { remote: 400_000, local: 40_000 }

/** One with bytes before it begins is known to readers of PDF alone. */
export const isTakenAsItIs = async (
  reader: Reader,
  { media }: Document,
  { organs }: Means,
): Promise<boolean> =>
  media.mime === 'application/pdf' &&
  (media.bytes ?? 0) <= mostAsItIs &&
  (await organs.takes(reader)).documents

/** Throws `Unanswered`, or the signal's reason. */
export const research = async (
  reader: Reader,
  { system, question }: { readonly system: string; readonly question: string },
  document: Document,
  means: Means,
): Promise<Researched> => {
  const { organs, files } = means
  const { media, seq } = document
  const ask = (content: string, asItIs: readonly ReturnType<typeof shown>[] = []) =>
    organs.ask(reader, { system, content, files: asItIs }, [
      own(system),
      own(question),
      { text: '', from: seq },
    ])

  const refused: Unanswered[] = []
  if (await isTakenAsItIs(reader, document, means))
    try {
      const { value, used } = await ask(question, [shown(media, files)])
      return { answer: value, calls: [{ used }] }
    } catch (error) {
      // Of too many pages for it, or too large: its words may do.
      if (!(error instanceof Unanswered) || error.failed.kind !== 'refused') throw error
      refused.push(error)
    }
  const read = await readWords(document, means)
  if (read.kind === 'refused') {
    if (refused[0]) throw refused[0]
    return { unreadable: read.words }
  }
  const { note } = read
  const text = cutTo(read.text, organs.isRemote(reader) ? mostRead.remote : mostRead.local)
  const { value, used } = await ask(
    `${question}\n\n${enclosed('document', { name: attribute(media.name) }, withNote(text, note))}`,
  )
  return { answer: value, calls: [...refused.map(({ failed }) => ({ failed })), { used }], note }
}

export const readWords = async (
  { media, format, encoding }: Pick<Document, 'media' | 'format' | 'encoding'>,
  { files, documents, signal }: Pick<Means, 'files' | 'documents' | 'signal'>,
): Promise<Extracted> => {
  const path = await files.path(media.filename)
  const named = encoding ?? media.charset
  return format === 'text' && named !== undefined
    ? documents.readText(path, named, signal)
    : documents.read(path, format, signal)
}

/** Before the words, so that no limit cuts it off. */
export const withNote = (text: string, note: string | undefined): string =>
  note === undefined ? text : `[${note}]\n${text}`
