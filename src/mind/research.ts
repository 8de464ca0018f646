/**
 * A document before a model that is asked about it: as it is where the model takes that, else as its words.
 */
import type { Media, Seq } from '../../journal/facts/fact-values.ts'
import type { Documents } from '../documents/documents.ts'
import type { DocumentFormat } from '../documents/formats.ts'
import type { OrganCall } from '../persona/rules/life.ts'
import type { Organs } from './organ-calls.ts'
import { type Files, shown } from './prompt/heard-files.ts'
import { attribute, cutTo, enclosed } from './prompt/marked-data.ts'
import { own } from './prompt/prompt-part.ts'
import { Unanswered } from './think.ts'

export interface Document {
  readonly media: Media
  /** The message it came with. */
  readonly seq: Seq
  readonly format: DocumentFormat
}

export interface Means {
  readonly organs: Organs
  readonly files: Files
  readonly documents: Pick<Documents, 'read'>
  readonly signal: AbortSignal
}

/** `unreadable`: why, to go on after its name. */
export type Researched =
  | { readonly answer: string; readonly calls: readonly OrganCall[] }
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
  const { organs, files, documents, signal } = means
  const { media, format, seq } = document
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
  const read = await documents.read(await files.path(media.filename), format, signal)
  if (read.kind === 'refused') {
    if (refused[0]) throw refused[0]
    return { unreadable: read.words }
  }
  const text = cutTo(read.text, organs.isRemote(reader) ? mostRead.remote : mostRead.local)
  const { value, used } = await ask(
    `${question}\n\n${enclosed('document', { name: attribute(media.name) }, text)}`,
  )
  return { answer: value, calls: [...refused.map(({ failed }) => ({ failed })), { used }] }
}
