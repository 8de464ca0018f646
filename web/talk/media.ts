/** The names of files in the talk. */
import type { Media } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import type { Clips } from './clips.ts'

export interface Gallery {
  readonly clips: Clips
  /** Opens a picture in full size. */
  readonly open: (picture: Media) => void
}

/** Returns true for generated names: recordings and spoken messages. */
export const isVoice = (name: string): boolean => /^voice\.\w+$/.test(name)

/** Returns the file's type for the user: its extension, or the subtype of its MIME type. */
export const kindName = (name: string, mime: string): string => {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]
  return extension
    ? extension.toUpperCase()
    : mime.replace(/^application\/(?:octet-stream)?/, '') || text.media.file
}
