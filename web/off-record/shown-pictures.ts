/** Pictures of an off-record talk. They are sent inside the message, because no file may be stored. */

export interface ShownPicture {
  readonly name: string
  /** A `data:` URL with the whole picture. */
  readonly url: string
}

/** The MIME types that the daemon accepts in a message. */
export const pictureKinds: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Max bytes of all pictures of a talk: each request contains all of them, and the daemon accepts 20 MiB. */
export const maxPictureBytes = 14 * 1024 * 1024

/** Returns the bytes of all pictures that were already sent. */
export const pictureBytes = (lines: readonly { readonly pictures: readonly ShownPicture[] }[]): number =>
  lines.flatMap(({ pictures }) => pictures).reduce((sum, { url }) => sum + (url.length * 3) / 4, 0)

/** Rejects if a file can no longer be read. */
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
