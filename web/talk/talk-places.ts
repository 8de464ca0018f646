/** The scroll position of each talk, by the id of its persona, as long as the page is open. */
export interface TalkPlace {
  /** The first visible message. */
  readonly seq: number
  /** The part of it above the screen, in pixels. */
  readonly offset: number
}

/** A talk that was read to its end has no entry. */
export const talkPlaces = new Map<string, TalkPlace>()
