/** How a file is seen in the talk, and what it is called. */
import type { Media } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import type { Clips } from './clips.ts'

export interface Gallery {
  readonly clips: Clips
  /** Opens a picture large. */
  readonly open: (picture: Media) => void
}

/** What nobody gave a name: recorded here, or said by the persona. */
export const isVoice = (name: string): boolean => /^voice\.\w+$/.test(name)

/** What people call it: the ending of its name, or what its bytes say. */
export const kindName = (name: string, mime: string): string => {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]
  return ending
    ? ending.toUpperCase()
    : mime.replace(/^application\/(?:octet-stream)?/, '') || text.media.file
}
