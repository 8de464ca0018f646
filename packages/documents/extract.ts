/**
 * Extracts the text of a document in any format. Call it only in the child process (`document-reader.ts`),
 * because it may use all of its time and memory.
 */
import { open } from 'node:fs/promises'
import { type Archive, openArchive } from './archive.ts'
import { compoundFileSign } from './compound-file.ts'
import { type DocumentFormat, officeFormats } from './formats.ts'
import { createUnreadable, type Extracted, type Limits, type Reason, Unreadable } from './limits.ts'
import { createPaper, Full, type Paper } from './paper.ts'

/** Never rejects. */
export const extract = async (
  path: string,
  format: DocumentFormat,
  limits: Limits,
  encoding?: string,
): Promise<Extracted> => {
  const paper = createPaper(limits.characters)
  let isCut = false
  try {
    if (format === 'text') await (await import('./plain-text.ts')).readPlain(path, limits, paper, encoding)
    else await write(path, format, limits, paper)
  } catch (error) {
    if (!(error instanceof Full)) return createUnreadable(getReason(error))
    isCut = true
  }
  const text = paper.text()
  const note = paper.notes()
  return text.trim()
    ? { kind: 'text', format, text, cut: isCut, ...(note && { note }) }
    : createUnreadable('empty')
}

const getReason = (error: unknown): Reason => {
  if (error instanceof Unreadable) return error.reason
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'damaged'
}

const write = async (
  path: string,
  format: Exclude<DocumentFormat, 'text'>,
  limits: Limits,
  paper: Paper,
): Promise<void> => {
  if (isWhole(format)) return (await wholeFileReaders[format]())(path, limits, paper)
  if (officeFormats.includes(format) && (await isLocked(path))) throw new Unreadable('encrypted')
  const archive = await openArchive(path, limits)
  try {
    await (await archiveReaders[format]())(archive, limits, paper)
  } finally {
    archive.close()
  }
}

type Read = (archive: Archive, limits: Limits, paper: Paper) => Promise<void>

/** Formats whose file is loaded into memory as a whole. */
const wholeFileReaders = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  mail: async () => (await import('./mail.ts')).readMail,
  outlook: async () => (await import('./outlook.ts')).readOutlook,
  rtf: async () => (await import('./rtf.ts')).readRtf,
} satisfies Partial<Record<DocumentFormat, () => Promise<ReadWhole>>>

type ReadWhole = (path: string, limits: Limits, paper: Paper) => Promise<void>
type WholeFormat = keyof typeof wholeFileReaders

const isWhole = (format: DocumentFormat): format is WholeFormat => Object.hasOwn(wholeFileReaders, format)

const archiveReaders: Readonly<Record<Exclude<DocumentFormat, 'text' | WholeFormat>, () => Promise<Read>>> = {
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  odt: async () => (await import('./odf.ts')).readOdt,
  ods: async () => (await import('./ods.ts')).readOds,
  odp: async () => (await import('./odf.ts')).readOdp,
  epub: async () => (await import('./epub.ts')).readEpub,
}

/** An office document with a password is not a zip but a compound file that contains one (MS-OFFCRYPTO). */
const isLocked = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.subarray(0, bytesRead).equals(compoundFileSign)
  } finally {
    await file.close()
  }
}
