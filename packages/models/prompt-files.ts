/**
 * The files beside the words of a prompt: read when it is sent, and refused where a model takes none of their
 * kind.
 */
import { MindError, type Prompt, type Shown } from './mind.ts'
import { refusePicture } from './picture-kinds.ts'
import type { Takes } from './sense-models.ts'

export const takesNothing: Takes = { images: false, documents: false }

/** `who` begins the sentence of the `MindError` that refuses one. */
export const readShown = async (
  { messages }: Prompt,
  takes: Takes,
  who: string,
): Promise<ReadonlyMap<Shown, Uint8Array>> => {
  const read = new Map<Shown, Uint8Array>()
  for (const shown of messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))) {
    refuseUnless(takes, shown, who)
    read.set(shown, await bytesOf(shown))
  }
  return read
}

const refuseUnless = (takes: Takes, { name, mime }: Shown, who: string): void => {
  const wrongKind = mime.startsWith('image/') && takes.images && refusePicture(takes, mime, who)
  if (wrongKind) throw refused(`"${name}" was not sent: ${wrongKind}`)
  if (takes.images && mime.startsWith('image/')) return
  if (takes.documents && mime === 'application/pdf') return
  throw refused(`${who} ${lackOf(mime)}: "${name}" (${mime}). Another model under settings may.`)
}

const lackOf = (mime: string): string => {
  if (mime.startsWith('image/')) return 'cannot look at pictures'
  return mime === 'application/pdf' ? 'cannot read a PDF as it is' : 'cannot take such a file'
}

const refused = (words: string): MindError => new MindError('refused', words, undefined, 0)

const bytesOf = async ({ name, bytes }: Shown): Promise<Uint8Array> => {
  try {
    return await bytes()
  } catch {
    throw refused(`The file "${name}" cannot be read any more.`)
  }
}
