/**
 * Converts a setting to text with decided parts, and back to a setting that keeps its secrets in the secrets
 * file.
 */
import type { Setting, SettingPiece } from '../../facts/fact-values.ts'
import type { ValuePart } from '../../packages/mcp-client/secret-parts.ts'
import { listPieces } from '../../projections/declared-servers.ts'

/** The placeholder for a stored secret. */
export const mask = '***'

export interface Span {
  readonly start: number
  readonly end: number
}

/** `decided`: stored secrets, and values that the user declared as not secret. In order, without overlaps. */
export interface SettingText {
  readonly text: string
  readonly decidedSpans: readonly (Span & { readonly piece: Exclude<SettingPiece, string> })[]
  /** True if the whole text is hidden. */
  readonly isWhole: boolean
}

export const freshText = (text: string): SettingText => ({ text, decidedSpans: [], isWhole: false })

/** `secretFor`: returns the text for a secret reference. */
export const settingText = (
  setting: Setting,
  secretFor: (ref: string) => string = () => mask,
): SettingText => {
  let text = ''
  const decidedSpans: (Span & { piece: Exclude<SettingPiece, string> })[] = []
  for (const piece of listPieces(setting)) {
    const start = text.length
    if (typeof piece === 'string') text += piece
    else text += 'clear' in piece ? piece.clear : secretFor(piece.secret)
    if (typeof piece !== 'string') decidedSpans.push({ start, end: text.length, piece })
  }
  return { text, decidedSpans, isWhole: typeof setting === 'object' && 'secret' in setting }
}

const overlaps = (first: Span, second: Span): boolean => first.start < second.end && second.start < first.end

/** Returns secrets in clear text. Facts from before secret detection can contain them. */
export const openSecrets = (
  { decidedSpans }: SettingText,
  parts: readonly ValuePart[],
): readonly ValuePart[] =>
  parts.filter((part) => part.verdict !== 'plain' && !decidedSpans.some((span) => overlaps(span, part)))

/** Masks the remaining secrets. `text.text` already has `***` for the stored ones. */
export const shownText = (text: SettingText, parts: readonly ValuePart[]): string => {
  const open = merge(openSecrets(text, parts))
  return open.reduceRight((text, { start, end }) => text.slice(0, start) + mask + text.slice(end), text.text)
}

/** Values that the user declared as secret or as not secret. Takes precedence over detection. */
export interface UsersWord {
  readonly secret: readonly string[]
  readonly plain: readonly string[]
}

interface Keeping {
  readonly word: UsersWord
  /** Resolves with the reference of a secret after it is on disk. */
  readonly keep: (secret: string) => Promise<string>
  /** Store the whole text as a secret, unless the user declared parts of it. */
  readonly isHidden: boolean
}

export const keptSetting = async (
  text: SettingText,
  parts: readonly ValuePart[],
  { word, keep, isHidden }: Keeping,
): Promise<Setting> => {
  if (text.isWhole) return text.decidedSpans[0]?.piece as Setting
  const declaredSecrets = word.secret.flatMap((value) => occurrences(text.text, value))
  const clear = [...parts, { start: 0, end: text.text.length, value: text.text }]
    .filter(
      ({ start, end, value }) =>
        word.plain.includes(value) || word.plain.includes(text.text.slice(start, end)),
    )
    .filter(
      (span) => ![...declaredSecrets, ...text.decidedSpans].some((otherSpan) => overlaps(otherSpan, span)),
    )
  const open = openSecrets(text, parts).filter((part) => !clear.some((span) => containsSpan(span, part)))
  const isSaid = declaredSecrets.length > 0 || clear.length > 0
  if (isHidden && !isSaid && text.decidedSpans.length === 0) return { secret: await keep(text.text) }
  const secrets = merge(
    [...declaredSecrets, ...open].filter(
      (span) => !text.decidedSpans.some((otherSpan) => overlaps(otherSpan, span)),
    ),
  )
  const [onlySecret] = secrets
  if (
    onlySecret &&
    !isSaid &&
    text.decidedSpans.length === 0 &&
    onlySecret.start === 0 &&
    onlySecret.end === text.text.length
  )
    return { secret: await keep(text.text) }
  const spans = [
    ...text.decidedSpans,
    ...secrets.map((span) => ({ ...span, piece: null })),
    ...merge(clear)
      .filter((span) => !secrets.some((otherSpan) => overlaps(otherSpan, span)))
      .map((span) => ({ ...span, piece: { clear: text.text.slice(span.start, span.end) } })),
  ].sort((first, second) => first.start - second.start)
  if (spans.length === 0) return text.text
  const pieces: SettingPiece[] = []
  let position = 0
  for (const { start, end, piece } of spans) {
    if (start > position) pieces.push(text.text.slice(position, start))
    pieces.push(piece ?? { secret: await keep(text.text.slice(start, end)) })
    position = end
  }
  if (position < text.text.length) pieces.push(text.text.slice(position))
  return { pieces }
}

const containsSpan = (outer: Span, inner: Span): boolean =>
  outer.start <= inner.start && inner.end <= outer.end

const occurrences = (text: string, value: string): readonly Span[] => {
  const spans: Span[] = []
  if (value === '') return spans
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
    spans.push({ start, end: start + value.length })
  return spans
}

/** Sorts spans and merges overlapping ones. */
const merge = (spans: readonly Span[]): readonly Span[] =>
  [...spans]
    .sort((first, second) => first.start - second.start)
    .reduce<Span[]>((all, { start, end }) => {
      const last = all.at(-1)
      if (last && start < last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) }
      else all.push({ start, end })
      return all
    }, [])
