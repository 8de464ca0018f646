/** The words of an RTF document (RTF 1.9.1): paragraphs, tables, notes. Pictures are left out. */
import { readFile, stat } from 'node:fs/promises'
import { decodeBytes } from './encodings.ts'
import { type Limits, Unreadable } from './limits.ts'
import type { Paper } from './paper.ts'
import { readPlain } from './plain-text.ts'
import { charsetLabel, codePageLabel, symbolCharset } from './rtf-charsets.ts'
import { rtfTokens } from './rtf-tokens.ts'

/** A file that does not begin as RTF is read as plain text. */
export const readRtf = async (path: string, limits: Limits, paper: Paper): Promise<void> => {
  if ((await stat(path)).size > limits.whole) throw new Unreadable('too_large')
  const bytes = await readFile(path)
  if (bytes.toString('latin1', 0, 5) !== '{\\rtf') return readPlain(path, limits, paper)
  writeRtf(bytes, limits, paper)
}

interface Group {
  readonly skipped: boolean
  readonly hidden: boolean
  readonly font: number | undefined
  /** Characters after `\u` that repeat it for old readers. */
  readonly fallback: number
  /** Written when the group ends. */
  readonly end?: () => void
}

interface Font {
  label: string | null
  isSymbol: boolean
}

/** Throws `Unreadable` if groups are nested too deeply. */
export const writeRtf = (rtf: Buffer, { depth }: Pick<Limits, 'depth'>, paper: Paper): void => {
  const fonts = new Map<number, Font>()
  const groups: Group[] = []
  let group: Group = { skipped: false, hidden: false, font: undefined, fallback: 1 }
  let page = codePageLabel(1252)
  let fontTable = 0
  let pending: Buffer[] = []
  let toSkip = 0
  let isStarred = false
  let text = ''
  let label = ''
  let cells: string[] = []
  let isTable = false

  /** Consecutive bytes are decoded together: a letter of Japanese has two of them. */
  const decodePending = () => {
    const bytes = Buffer.concat(pending)
    pending = []
    const font = fonts.get(group.font ?? -1)
    text += font?.isSymbol ? symbols(bytes) : decodeBytes(bytes, font?.label ?? page)
  }
  const isSilent = () => group.skipped || group.hidden
  const add = (words: string) => {
    if (!isSilent()) text += words
  }
  const takeLine = (): string => {
    const line = text.replace(/^\n+/, '')
    text = ''
    return line
  }
  const endRow = () => {
    paper.row(cells)
    cells = []
    takeLine()
  }
  const endParagraph = () => {
    if (isSilent()) return
    if (isTable || cells.length > 0) text += '\n'
    else paper.line(label + takeLine())
  }
  const actions: Readonly<Record<string, (value: number | undefined) => void>> = {
    par: endParagraph,
    '\r': endParagraph,
    '\n': endParagraph,
    sect: endParagraph,
    page: endParagraph,
    pard: () => {
      isTable = false
      // A table that lacks the end of its row.
      if (cells.length > 0 && !text.trim()) endRow()
    },
    plain: () => {
      group = { ...group, hidden: false, font: undefined }
    },
    intbl: () => {
      isTable = true
    },
    cell: () => {
      if (!isSilent()) cells.push(takeLine())
    },
    row: () => {
      if (!isSilent()) endRow()
    },
    nestcell: () => add(', '),
    nestrow: () => add('\n'),
    ansicpg: (value) => {
      page = codePageLabel(value)
    },
    mac: () => {
      page = codePageLabel(10000)
    },
    f: (value) => {
      group = { ...group, font: value }
      if (fontTable > 0 && value !== undefined) fonts.set(value, { label: null, isSymbol: false })
    },
    fcharset: (value = 1) => {
      const font = fonts.get(group.font ?? -1)
      if (!font || fontTable === 0) return
      font.isSymbol = value === symbolCharset
      font.label = charsetLabel(value)
    },
    cpg: (value) => {
      const font = fonts.get(group.font ?? -1)
      if (font && fontTable > 0) font.label = codePageLabel(value)
    },
    uc: (value = 1) => {
      group = { ...group, fallback: Math.max(0, value) }
    },
    u: (value = 0) => {
      add(String.fromCharCode(value & 0xffff))
      toSkip = group.fallback
    },
    v: (value) => setHidden(value !== 0),
    deleted: (value) => setHidden(value !== 0),
    // HTML that Outlook packed into RTF: what is meant for readers of RTF alone.
    htmlrtf: (value) => setHidden(value !== 0),
  }
  const setHidden = (hidden: boolean) => {
    group = { ...group, hidden }
  }
  const begin = (word: string) => {
    if (word === 'fonttbl') fontTable = groups.length
    const isUnknown = isStarred && !keptIfStarred.has(word)
    if (isUnknown || skippedGroups.has(word)) group = { ...group, skipped: true }
    if (group.skipped) return
    const mark = margins[word]
    if (mark !== undefined) {
      const outer = { text, isTable, cells }
      ;[text, isTable, cells, label] = ['', false, [], mark]
      group = {
        ...group,
        end: () => {
          const line = takeLine()
          if (line.trim()) paper.line(label + line)
          ;({ text, isTable, cells } = outer)
          label = ''
        },
      }
    }
    const note = notes[word]
    if (note === undefined) return
    text += note
    group = {
      ...group,
      end: () => {
        text = `${text.trimEnd()}]`
      },
    }
  }
  const control = (word: string, value: number | undefined) => {
    if (word === '*') {
      isStarred = true
      return
    }
    begin(word)
    isStarred = false
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action) action(value)
    else if (Object.hasOwn(signs, word)) add(signs[word] ?? '')
  }

  for (const token of rtfTokens(rtf)) {
    if (token.kind === 'bytes') {
      const skip = Math.min(toSkip, token.bytes.length)
      toSkip -= skip
      if (!isSilent()) pending.push(token.bytes.subarray(skip))
      continue
    }
    if (pending.length > 0) decodePending()
    if (token.kind === 'open') {
      toSkip = 0
      isStarred = false
      if (groups.push(group) > depth) throw new Unreadable('bomb')
      const { end: _, ...inner } = group
      group = inner
    } else if (token.kind === 'close') {
      toSkip = 0
      if (groups.length <= fontTable) fontTable = 0
      group.end?.()
      group = groups.pop() ?? group
      // What follows the document is no part of it.
      if (groups.length === 0) break
    } else if (token.kind === 'control') {
      if (toSkip > 0) toSkip--
      else control(token.word, token.value)
    }
  }
  if (pending.length > 0) decodePending()
  if (cells.length > 0) endRow()
  paper.line(takeLine())
}

/** Groups with words that are no words of the text. Groups after `\*` are skipped if they are not known. */
const skippedGroups = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'objdata', 'nonshppict', 'nonesttables'],
  ...['shprslt', 'xe', 'tc', 'rxe', 'private', 'fldtype', 'filetbl', 'revtbl'],
])
const keptIfStarred = new Set(['shpinst', 'nesttableprops', 'annotation', 'footnote'])

const margins: Readonly<Record<string, string>> = {
  ...{ header: '[header] ', headerl: '[header] ', headerr: '[header] ', headerf: '[header] ' },
  ...{ footer: '[footer] ', footerl: '[footer] ', footerr: '[footer] ', footerf: '[footer] ' },
}

const notes: Readonly<Record<string, string>> = { footnote: ' [note: ', annotation: ' [comment: ' }

const signs: Readonly<Record<string, string>> = {
  ...{ line: '\n', lbr: '\n', tab: '\t', '~': ' ', _: '-', '-': '', '{': '{', '}': '}', '\\': '\\' },
  ...{ emdash: '—', endash: '–', bullet: '•', emspace: ' ', enspace: ' ', qmspace: ' ' },
  ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
}

/** Lists begin with a sign of Symbol or Wingdings. Other signs have no place in Unicode that is certain. */
const symbols = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => (byte > 0x20 && byte !== 0xa0 ? '•' : ' ')).join('')
