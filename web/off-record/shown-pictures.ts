/** Pictures shown off the record: they stand in the message itself, since no file of it may be kept. */
import type { Line } from './unkept-answer.ts'

export interface ShownPicture {
  readonly name: string
  /** `data:`, with all of its bytes. */
  readonly url: string
}

/** What the daemon takes in a message, by their bytes. */
export const pictureKinds: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Bytes of all pictures of a talk: each answer is asked for with all of it, and the daemon takes 20 MiB. */
export const mostPictureBytes = 14 * 1024 * 1024

/** Bytes of the pictures that were shown so far. */
export const pictureBytes = (talk: readonly Line[]): number =>
  talk.flatMap(({ pictures }) => pictures).reduce((sum, { url }) => sum + (url.length * 3) / 4, 0)

/** Rejects where a file cannot be read any more. */
export const readPictures = (files: readonly File[]): Promise<readonly ShownPicture[]> =>
  Promise.all(
    files.map(
      (file) =>
        new Promise<ShownPicture>((resolve, reject) => {
          const reader = new FileReader()
          reader.onload = () => resolve({ name: file.name, url: String(reader.result) })
          reader.onerror = () => reject(new Error('a picture cannot be read', { cause: reader.error }))
          reader.readAsDataURL(file)
        }),
    ),
  )
