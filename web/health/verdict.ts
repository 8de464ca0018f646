/** Describes the result of a verification. */

import { countName } from '../shared/amounts.ts'
import type { Shape } from '../shared/shapes.ts'
import { healthText } from '../strings/health-words.ts'

export interface Sentence {
  readonly words: string
  readonly isBad: boolean
}

export const describeVerdict = ({
  events,
  intact,
  first_bad,
  media,
  diaries,
}: Shape<'Verified'>): readonly Sentence[] => {
  const words = healthText.health
  const journal = intact
    ? { words: words.whole(countName(events)), isBad: false }
    : { words: words.broken(countName(events), countName(first_bad ?? events + 1)), isBad: true }
  return [journal, ...(media ? describeFiles(media) : []), ...describeDiaries(diaries)]
}

const describeFiles = ({
  checked,
  unhashed,
  missing,
  damaged,
}: NonNullable<Shape<'Verified'>['media']>): readonly Sentence[] => {
  const words = healthText.health
  const hasDamage = missing.length + damaged.length > 0
  return [
    hasDamage
      ? { words: words.mediaBad(missing.length, damaged.length), isBad: hasDamage }
      : { words: words.media(checked), isBad: hasDamage },
    ...(unhashed > 0 ? [{ words: words.mediaUnhashed(unhashed), isBad: false }] : []),
  ]
}

const describeDiaries = (diaries: Shape<'Verified'>['diaries']): readonly Sentence[] => {
  const words = healthText.health
  const unreadable = diaries.filter(({ readable }) => !readable).length
  const old = diaries.filter(({ current }) => !current).length
  return [
    unreadable > 0
      ? { words: words.diariesBad(unreadable, diaries.length), isBad: true }
      : { words: words.diaries(diaries.length), isBad: false },
    ...(old > 0 ? [{ words: words.diariesOld(old), isBad: false }] : []),
  ]
}
