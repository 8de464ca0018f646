/** Reads the files of a prompt when it is sent, and rejects those that the model does not accept. */
import { MindError, type Prompt, type Shown } from './mind.ts'
import { refusePicture } from './picture-kinds.ts'
import type { Takes } from './sense-models.ts'

export const takesNothing: Takes = { images: false, documents: false }

/** `who`: the subject of the error sentence. */
export const readPromptFiles = async (
  { messages }: Prompt,
  accepted: Takes,
  subject: string,
): Promise<ReadonlyMap<Shown, Uint8Array>> => {
  const read = new Map<Shown, Uint8Array>()
  for (const file of messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))) {
    refuseUnless(accepted, file, subject)
    read.set(file, await readBytes(file))
  }
  return read
}

const refuseUnless = (accepted: Takes, { name, mime }: Shown, subject: string): void => {
  const wrongKind = mime.startsWith('image/') && accepted.images && refusePicture(accepted, mime, subject)
  if (wrongKind) throw refused(`"${name}" was not sent: ${wrongKind}`)
  if (accepted.images && mime.startsWith('image/')) return
  if (accepted.documents && mime === 'application/pdf') return
  throw refused(`${subject} ${describeLack(mime)}: "${name}" (${mime}). Another model under settings may.`)
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
