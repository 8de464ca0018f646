/** The media types of pictures that models take, and the advice for those they do not take. */
import type { Takes } from './sense-models.ts'

const usualPictures: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Says that the model takes no pictures of this type, and how to send this one. Returns undefined if it takes
 * them. Assumes that it takes pictures at all.
 */
export const refusePicture = (
  { pictures = usualPictures }: Takes,
  mime: string,
  subject: string,
): string | undefined =>
  pictures.includes(mime)
    ? undefined
    : `${subject} takes no ${mime.replace('image/', '').toUpperCase()} pictures. ${adviceFor(mime)}`

const adviceFor = (mime: string): string =>
  /^image\/hei[cf]$/.test(mime)
    ? 'Export it as a JPEG, and send that. On an iPhone, the setting Camera > Formats > Most Compatible makes new photos JPEGs.'
    : 'Save it as a JPEG, and send that.'
