/** Reads the files of a prompt when it is sent, and rejects those that the model does not accept. */
import { MindError, type Prompt, type Shown } from './mind.ts'
import { refusePicture } from './picture-kinds.ts'
import type { Takes } from './sense-models.ts'

export const takesNothing: Takes = { images: false, documents: false }

/** `who`: the subject of the error sentence. */
export const readPromptFiles = async (
  { messages }: Prompt,
  acceptedFiles: Takes,
  subject: string,
): Promise<ReadonlyMap<Shown, Uint8Array>> => {
  const read = new Map<Shown, Uint8Array>()
  for (const file of messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))) {
    refuseUnless(acceptedFiles, file, subject)
    read.set(file, await readBytes(file))
  }
  return read
}

const refuseUnless = (acceptedFiles: Takes, { name, mime }: Shown, subject: string): void => {
  const wrongKind =
    mime.startsWith('image/') && acceptedFiles.images && refusePicture(acceptedFiles, mime, subject)
  if (wrongKind) throw createRefusal(`"${name}" was not sent: ${wrongKind}`)
  if (acceptedFiles.images && mime.startsWith('image/')) return
  if (acceptedFiles.documents && mime === 'application/pdf') return
  throw createRefusal(
    `${subject} ${describeLack(mime)}: "${name}" (${mime}). Another model under settings may.`,
  )
}

const describeLack = (mime: string): string => {
  if (mime.startsWith('image/')) return 'cannot look at pictures'
  return mime === 'application/pdf' ? 'cannot read a PDF as it is' : 'cannot take such a file'
}

const createRefusal = (message: string): MindError => new MindError('refused', message, { calls: 0 })

const readBytes = async ({ name, bytes }: Shown): Promise<Uint8Array> => {
  try {
    return await bytes()
  } catch {
    throw createRefusal(`The file "${name}" cannot be read any more.`)
  }
}
