/** Reads the files of a prompt when it is sent, and rejects those that the model does not accept. */
import { MindError, type Prompt, type Shown } from './mind.ts'
import { refusePicture } from './picture-kinds.ts'
import type { Takes } from './sense-models.ts'

export const takesNothing: Takes = { images: false, documents: false }

/** `who`: the subject of the error sentence. */
export const readPromptFiles = async (
  { messages }: Prompt,
  takes: Takes,
  who: string,
): Promise<ReadonlyMap<Shown, Uint8Array>> => {
  const read = new Map<Shown, Uint8Array>()
  for (const file of messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))) {
    refuseUnless(takes, file, who)
    read.set(file, await readBytes(file))
  }
  return read
}

const refuseUnless = (takes: Takes, { name, mime }: Shown, who: string): void => {
  const wrongKind = mime.startsWith('image/') && takes.images && refusePicture(takes, mime, who)
  if (wrongKind) throw refused(`"${name}" was not sent: ${wrongKind}`)
  if (takes.images && mime.startsWith('image/')) return
  if (takes.documents && mime === 'application/pdf') return
  throw refused(`${who} ${describeLack(mime)}: "${name}" (${mime}). Another model under settings may.`)
}

const describeLack = (mime: string): string => {
  if (mime.startsWith('image/')) return 'cannot look at pictures'
  return mime === 'application/pdf' ? 'cannot read a PDF as it is' : 'cannot take such a file'
}

const refused = (message: string): MindError => new MindError('refused', message, undefined, 0)

const readBytes = async ({ name, bytes }: Shown): Promise<Uint8Array> => {
  try {
    return await bytes()
  } catch {
    throw refused(`The file "${name}" cannot be read any more.`)
  }
}
