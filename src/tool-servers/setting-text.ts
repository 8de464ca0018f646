/** The text of a setting, which parts of it are decided, and the setting that keeps its secrets elsewhere. */
import type { Setting, SettingPiece } from '../../journal/facts/fact-values.ts'
import type { ValuePart } from '../../packages/mcp-client/secret-parts.ts'
import { piecesOf } from '../../projections/declared-servers.ts'

/** What stands for a secret that is kept. */
export const hidden = '***'

export interface Span {
  readonly start: number
  readonly end: number
}

/** `decided`: in order, without overlaps: secrets that are kept, and what the user said is no secret. */
export interface SettingText {
  readonly text: string
  readonly decided: readonly (Span & { readonly piece: Exclude<SettingPiece, string> })[]
  /** The whole is hidden, whatever it holds. */
  readonly isWhole: boolean
}

export const freshText = (text: string): SettingText => ({ text, decided: [], isWhole: false })

/** `secretFor`: the secret behind a reference. */
export const settingText = (
  setting: Setting,
  secretFor: (ref: string) => string = () => hidden,
): SettingText => {
  let text = ''
  const decided: (Span & { piece: Exclude<SettingPiece, string> })[] = []
  for (const piece of piecesOf(setting)) {
    const start = text.length
    if (typeof piece === 'string') text += piece
    else text += 'clear' in piece ? piece.clear : secretFor(piece.secret)
    if (typeof piece !== 'string') decided.push({ start, end: text.length, piece })
  }
  return { text, decided, isWhole: typeof setting === 'object' && 'secret' in setting }
}

const overlaps = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end

/** Secrets that stand in clear, as in facts of before they were looked for. */
export const openSecrets = ({ decided }: SettingText, parts: readonly ValuePart[]): readonly ValuePart[] =>
  parts.filter((part) => part.verdict !== 'plain' && !decided.some((one) => overlaps(one, part)))

/** `text.text` has `***` for what is kept; the rest that is a secret becomes it. */
export const shownText = (text: SettingText, parts: readonly ValuePart[]): string => {
  const open = merged(openSecrets(text, parts))
  return open.reduceRight(
    (shown, { start, end }) => shown.slice(0, start) + hidden + shown.slice(end),
    text.text,
  )
}

/** What the user says of values, whatever they look like. */
export interface UsersWord {
  readonly secret: readonly string[]
  readonly plain: readonly string[]
}

interface Keeping {
  readonly word: UsersWord
  /** Resolves with the reference to a secret that is on the disk. */
  readonly keep: (secret: string) => Promise<string>
  /** Kept as a whole, unless the user said something of it. */
  readonly isHidden: boolean
}

export const keptSetting = async (
  text: SettingText,
  parts: readonly ValuePart[],
  { word, keep, isHidden }: Keeping,
): Promise<Setting> => {
  if (text.isWhole) return text.decided[0]?.piece as Setting
  const said = word.secret.flatMap((value) => occurrences(text.text, value))
  const clear = [...parts, { start: 0, end: text.text.length, value: text.text }]
    .filter(
      ({ start, end, value }) =>
        word.plain.includes(value) || word.plain.includes(text.text.slice(start, end)),
    )
    .filter((span) => ![...said, ...text.decided].some((one) => overlaps(one, span)))
  const open = openSecrets(text, parts).filter((part) => !clear.some((one) => contains(one, part)))
  const isSaid = said.length > 0 || clear.length > 0
  if (isHidden && !isSaid && text.decided.length === 0) return { secret: await keep(text.text) }
  const secrets = merged(
    [...said, ...open].filter((span) => !text.decided.some((one) => overlaps(one, span))),
  )
  const [only] = secrets
  if (only && !isSaid && text.decided.length === 0 && only.start === 0 && only.end === text.text.length)
    return { secret: await keep(text.text) }
  const spans = [
    ...text.decided,
    ...secrets.map((span) => ({ ...span, piece: null })),
    ...merged(clear)
      .filter((span) => !secrets.some((one) => overlaps(one, span)))
      .map((span) => ({ ...span, piece: { clear: text.text.slice(span.start, span.end) } })),
  ].sort((one, other) => one.start - other.start)
  if (spans.length === 0) return text.text
  const pieces: SettingPiece[] = []
  let at = 0
  for (const { start, end, piece } of spans) {
    if (start > at) pieces.push(text.text.slice(at, start))
    pieces.push(piece ?? { secret: await keep(text.text.slice(start, end)) })
    at = end
  }
  if (at < text.text.length) pieces.push(text.text.slice(at))
  return { pieces }
}

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

const occurrences = (text: string, value: string): readonly Span[] => {
  const found: Span[] = []
  if (value === '') return found
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
    found.push({ start, end: start + value.length })
  return found
}

/** In order, those that overlap as one. */
const merged = (spans: readonly Span[]): readonly Span[] =>
  [...spans]
    .sort((one, other) => one.start - other.start)
    .reduce<Span[]>((all, { start, end }) => {
      const last = all.at(-1)
      if (last && start < last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) }
      else all.push({ start, end })
      return all
    }, [])
