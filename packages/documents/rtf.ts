/** Reads the text of an RTF document (RTF 1.9.1): paragraphs, tables, notes. Pictures are skipped. */
import { readFile, stat } from 'node:fs/promises'
import { type Limits, Unreadable } from './limits.ts'
import type { Paper } from './paper.ts'
import { readPlain } from './plain-text.ts'
import { createRtfFonts, type RtfFonts } from './rtf-fonts.ts'
import { createRtfLayout, type RtfLayout } from './rtf-layout.ts'
import { rtfTokens } from './rtf-tokens.ts'

/** A file without an RTF header is read as plain text. */
export const readRtf = async (path: string, limits: Limits, paper: Paper): Promise<void> => {
  if ((await stat(path)).size > limits.whole) throw new Unreadable('too_large')
  const bytes = await readFile(path)
  if (bytes.toString('latin1', 0, 5) !== '{\\rtf') return readPlain(path, limits, paper)
  writeRtf(bytes, limits, paper)
}

/** Throws `Unreadable` if groups are nested too deeply. */
export const writeRtf = (rtf: Buffer, { depth }: Pick<Limits, 'depth'>, paper: Paper): void => {
  const reader = createReader(paper)
  for (const token of rtfTokens(rtf)) {
    if (token.kind === 'bytes') {
      addBytes(reader, token.bytes)
      continue
    }
    decodePending(reader)
    if (token.kind === 'control') readControl(reader, token.word, token.value)
    else if (token.kind === 'open') openGroup(reader, depth)
    else closeGroup(reader)
    // Ignores text after the end of the document.
    if (token.kind === 'close' && reader.groups.length === 0) break
  }
  decodePending(reader)
  reader.layout.finish()
}

interface Group {
  readonly skipped: boolean
  readonly hidden: boolean
  readonly font: number | undefined
  /** Number of fallback characters after `\u`, for old readers. */
  readonly fallback: number
  /** Called when the group ends. */
  readonly end?: () => void
}

interface Reader {
  readonly layout: RtfLayout
  readonly fonts: RtfFonts
  /** The groups that contain the current one. */
  readonly groups: Group[]
  group: Group
  /** Group depth of the open font table. 0 if none is open. */
  fontTable: number
  pending: Buffer[]
  /** Remaining fallback characters of a `\u`. */
  toSkip: number
  /** The control word follows `\*`: readers that do not know it skip its group. */
  isStarred: boolean
}

const createReader = (paper: Paper): Reader => ({
  layout: createRtfLayout(paper),
  fonts: createRtfFonts(),
  groups: [],
  group: { skipped: false, hidden: false, font: undefined, fallback: 1 },
  fontTable: 0,
  pending: [],
  toSkip: 0,
  isStarred: false,
})

const isSilent = ({ group }: Reader): boolean => group.skipped || group.hidden

const addBytes = (reader: Reader, bytes: Buffer): void => {
  const skip = Math.min(reader.toSkip, bytes.length)
  reader.toSkip -= skip
  if (!isSilent(reader)) reader.pending.push(bytes.subarray(skip))
}

/** Consecutive bytes are decoded together, because some Japanese characters have two bytes. */
const decodePending = (reader: Reader): void => {
  const { pending, fonts, layout, group } = reader
  if (pending.length === 0) return
  reader.pending = []
  layout.add(fonts.decode(Buffer.concat(pending), group.font))
}

const addWords = (reader: Reader, words: string): void => {
  if (!isSilent(reader)) reader.layout.add(words)
}

const openGroup = (reader: Reader, depth: number): void => {
  reader.toSkip = 0
  reader.isStarred = false
  if (reader.groups.push(reader.group) > depth) throw new Unreadable('bomb')
  const { end: _, ...inner } = reader.group
  reader.group = inner
}

const closeGroup = (reader: Reader): void => {
  reader.toSkip = 0
  if (reader.groups.length <= reader.fontTable) reader.fontTable = 0
  reader.group.end?.()
  reader.group = reader.groups.pop() ?? reader.group
}

const readControl = (reader: Reader, word: string, value: number | undefined): void => {
  if (reader.toSkip > 0) {
    reader.toSkip--
    return
  }
  if (word === '*') {
    reader.isStarred = true
    return
  }
  startDestination(reader, word)
  reader.isStarred = false
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined
  if (action) action(reader, value)
  else if (Object.hasOwn(signs, word)) addWords(reader, signs[word] ?? '')
}

/** Some control words determine where the text of their group is written. */
const startDestination = (reader: Reader, word: string): void => {
  const { layout } = reader
  if (word === 'fonttbl') reader.fontTable = reader.groups.length
  const isUnknown = reader.isStarred && !keptIfStarred.has(word)
  if (isUnknown || skippedGroups.has(word)) change(reader, { skipped: true })
  if (reader.group.skipped) return
  const margin = margins[word]
  if (margin !== undefined) change(reader, { end: layout.openMargin(margin) })
  const note = notes[word]
  if (note !== undefined) change(reader, { end: layout.openNote(note) })
}

const change = (reader: Reader, changes: Partial<Group>): void => {
  reader.group = { ...reader.group, ...changes }
}

type Action = (reader: Reader, value: number | undefined) => void

/** Returns a handler that does nothing in skipped or hidden groups. */
const skipIfSilent =
  (act: (layout: RtfLayout) => void): Action =>
  (reader) => {
    if (!isSilent(reader)) act(reader.layout)
  }

const endParagraph = skipIfSilent((layout) => layout.endParagraph())

const layoutActions: Readonly<Record<string, Action>> = {
  par: endParagraph,
  '\r': endParagraph,
  '\n': endParagraph,
  sect: endParagraph,
  page: endParagraph,
  pard: ({ layout }) => layout.resetParagraph(),
  intbl: ({ layout }) => layout.startTable(),
  cell: skipIfSilent((layout) => layout.endCell()),
  row: skipIfSilent((layout) => layout.endRow()),
  nestcell: (reader) => addWords(reader, ', '),
  nestrow: (reader) => addWords(reader, '\n'),
}

const fontActions: Readonly<Record<string, Action>> = {
  ansicpg: ({ fonts }, value) => fonts.setCodePage(value),
  mac: ({ fonts }) => fonts.setCodePage(10000),
  f: (reader, value) => {
    change(reader, { font: value })
    if (reader.fontTable > 0 && value !== undefined) reader.fonts.define(value)
  },
  fcharset: ({ fonts, fontTable, group }, value = 1) => {
    if (fontTable > 0) fonts.setFontCharset(group.font, value)
  },
  cpg: ({ fonts, fontTable, group }, value) => {
    if (fontTable > 0) fonts.setFontCodePage(group.font, value)
  },
}

const setHidden: Action = (reader, value) => change(reader, { hidden: value !== 0 })

const characterActions: Readonly<Record<string, Action>> = {
  plain: (reader) => change(reader, { hidden: false, font: undefined }),
  uc: (reader, value = 1) => change(reader, { fallback: Math.max(0, value) }),
  u: (reader, value = 0) => {
    addWords(reader, String.fromCharCode(value & 0xffff))
    reader.toSkip = reader.group.fallback
  },
  // `\htmlrtf`: HTML that Outlook converted to RTF has parts that are only for RTF readers.
  v: setHidden,
  deleted: setHidden,
  htmlrtf: setHidden,
}

const actions: Readonly<Record<string, Action>> = { ...layoutActions, ...fontActions, ...characterActions }

/** Groups whose content is not part of the text. Unknown groups after `\*` are also skipped. */
const skippedGroups = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'objdata', 'nonshppict', 'nonesttables'],
  ...['shprslt', 'xe', 'tc', 'rxe', 'private', 'fldtype', 'filetbl', 'revtbl'],
])
const keptIfStarred = new Set(['shpinst', 'nesttableprops', 'annotation', 'footnote'])

const margins: Readonly<Record<string, string>> = {
  header: '[header] ',
  headerl: '[header] ',
  headerr: '[header] ',
  headerf: '[header] ',
  footer: '[footer] ',
  footerl: '[footer] ',
  footerr: '[footer] ',
  footerf: '[footer] ',
}

const notes: Readonly<Record<string, string>> = { footnote: ' [note: ', annotation: ' [comment: ' }

const signs: Readonly<Record<string, string>> = {
  line: '\n',
  lbr: '\n',
  tab: '\t',
  '~': ' ',
  _: '-',
  '-': '',
  '{': '{',
  '}': '}',
  '\\': '\\',
  emdash: '—',
  endash: '–',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}
