/**
 * Detects the document format of a zip by its entries. Call it only in the child process
 * (`document-reader.ts`), because it may use all of its time and memory.
 */
import { type Archive, openArchive } from './archive.ts'
import { type Format, getKind, zipFormats } from './formats.ts'
import type { Limits } from './limits.ts'

/** `unlisted`: the zip is truncated or has too many entries. */
export type Packed = Format | 'other' | 'unlisted'

/** Never rejects. */
export const packedIn = async (path: string, limits: Limits): Promise<Packed> => {
  let archive: Archive | undefined
  try {
    archive = await openArchive(path, limits)
    return (await detectByParts(archive)) ?? 'other'
  } catch {
    return 'unlisted'
  } finally {
    archive?.close()
  }
}

const detectByParts = async (archive: Archive): Promise<Format | undefined> => {
  const mimetype = archive.has('mimetype') ? await readBeginning(archive, 'mimetype') : ''
  const open = zipFormats.find((format) => mimetype.startsWith(getKind(format).mime))
  if (open) return open
  const hasName = (pattern: RegExp) => archive.names.some((name) => pattern.test(name))
  if (archive.has('META-INF/container.xml') && hasName(/\.opf$/i)) return 'epub'
  if (!archive.has('[Content_Types].xml')) return undefined
  if (hasName(/^word\/[^/]+\.xml$/i)) return 'docx'
  // Binary workbooks (.xlsb) have the same folders.
  if (hasName(/^xl\/[^/]+\.xml$/i) && !archive.has('xl/workbook.bin')) return 'xlsx'
  return hasName(/^ppt\/[^/]+\.xml$/i) ? 'pptx' : undefined
}

const readBeginning = async (archive: Archive, name: string): Promise<string> => {
  for await (const chunk of archive.read(name)) return chunk.subarray(0, 200).toString('latin1').trim()
  return ''
}
