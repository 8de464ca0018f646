/** Reads the files of a prompt when it is sent, and rejects those that the model does not accept. */
import { MindError, type Prompt, type Shown } from './mind.ts'
import type { Takes } from './sense-models.ts'

export const takesNothing: Takes = { images: false, documents: false }

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** `who`: the subject of the error sentence. */
export const readShown = async (
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

const refuseUnless = ({ images, documents }: Takes, { name, mime }: Shown, who: string): void => {
  if (images && pictures.includes(mime)) return
  if (documents && mime === 'application/pdf') return
  const picture = images ? 'cannot look at a picture of this kind' : 'cannot look at pictures'
  const refusal = mime.startsWith('image/')
    ? picture
    : mime === 'application/pdf'
      ? 'cannot read a PDF as it is'
      : 'cannot take such a file'
  throw new MindError(
    'refused',
    `${who} ${refusal}: "${name}" (${mime}). Another model under settings may.`,
    undefined,
    0,
  )
}

const readBytes = async ({ name, bytes }: Shown): Promise<Uint8Array> => {
  try {
    return await bytes()
  } catch {
    throw new MindError('refused', `The file "${name}" cannot be read any more.`, undefined, 0)
  }
}
