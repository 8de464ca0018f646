/**
 * Reads the text of a PDF page by page, including the values of form fields. Uses pdf.js 5.4.296 from unpdf
 * 1.4.0: CVE-2026-16633 (scripts of a PDF are executed) affects pdf.js 5.6.83 to 6.2.107, and so unpdf 1.5.0
 * to 1.8.1. Later versions need Node 22. This reader does not meet the conditions for that attack either:
 * `enableScripting` is an option of the form layer of a rendered page, no page is rendered here, and the
 * process disables code generation from strings.
 */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getDocumentProxy } from 'unpdf'
import { type Limits, Unreadable } from './limits.ts'
import type { Paper } from './paper.ts'

/** The part of pdf.js that is used. */
interface Pdf {
  readonly numPages: number
  getPage(number: number): Promise<Page>
}

interface Page {
  getTextContent(): Promise<{ readonly items: readonly (Item | object)[] }>
  getAnnotations(): Promise<readonly Annotation[]>
  cleanup(): unknown
}

interface Annotation {
  readonly fieldName?: unknown
  readonly fieldValue?: unknown
}

export const readPdf = async (path: string, limits: Limits, paper: Paper): Promise<void> => {
  if ((await stat(path)).size > limits.whole) throw new Unreadable('too_large')
  const pdf = await open(new Uint8Array(await readFile(path)))
  let unreadCount = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const lines = await readPage(pdf, number).catch(() => undefined)
    if (!lines) unreadCount++
    // A page without text gets no page number, so a PDF of pictures has an empty text.
    if (!lines?.length) continue
    paper.gap()
    paper.line(`[page ${number}]`)
    for (const line of lines) paper.line(line)
  }
  // A few unreadable pages are only noted. If every page is unreadable, the PDF is damaged.
  if (unreadCount === pdf.numPages) throw new Unreadable('damaged')
  paper.gap()
  if (unreadCount > 0) paper.line(`[${unreadCount} of ${pdf.numPages} pages could not be read]`)
}

/** Opens a PDF without running scripts, rendering or fetching. */
const open = async (data: Uint8Array): Promise<Pdf> => {
  const settings = {
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    verbosity: 0,
    cMapUrl: '/',
    CMapReaderFactory,
    useWorkerFetch: false,
  }
  try {
    return await getDocumentProxy(data, settings)
  } catch (error) {
    throw new Unreadable(
      error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged',
    )
  }
}

/**
 * Finds Adobe's character maps. They map the codes of Chinese, Japanese and Korean fonts to characters when a
 * PDF does not embed the font. The build copies them to the folder of the bundle. unpdf does not include
 * them.
 */
const findCharacterMaps = (): URL => {
  const bundledMaps = new URL('./cmaps/', import.meta.url)
  if (existsSync(bundledMaps)) return bundledMaps
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
  return new URL('./cmaps/', pathToFileURL(manifest))
}

/**
 * The interface that pdf.js calls:
 * https://github.com/mozilla/pdf.js/blob/v5.4.296/src/display/cmap_reader_factory.js
 */
class CMapReaderFactory {
  async fetch({ name }: { readonly name: string }) {
    if (!/^[\w-]{1,60}$/.test(name)) throw new Error('not the name of a character map')
    const cMapData = await readFile(fileURLToPath(new URL(`${name}.bcmap`, findCharacterMaps())))
    return { cMapData: new Uint8Array(cMapData), isCompressed: true }
  }
}

const readPage = async (pdf: Pdf, number: number): Promise<readonly string[]> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  const text = toLines(items.filter((item): item is Item => 'str' in item))
  const fields = (await page.getAnnotations().catch(() => [])).flatMap(formatField)
  page.cleanup()
  return [...text.split('\n'), ...fields].map((line) => line.trimEnd()).filter(Boolean)
}

interface Item {
  readonly str: string
  readonly hasEOL: boolean
  readonly height: number
  /** The last number is the height above the bottom of the page. */
  readonly transform: readonly number[]
}

/** pdf.js does not report every line end. A different height also starts a new line. */
const toLines = (items: readonly Item[]): string => {
  let text = ''
  let previousItem: Item | undefined
  for (const item of items) {
    const distance = previousItem ? Math.abs((item.transform[5] ?? 0) - (previousItem.transform[5] ?? 0)) : 0
    if (distance > Math.max(item.height, previousItem?.height ?? 0) && !text.endsWith('\n')) text += '\n'
    text += item.str + (item.hasEOL ? '\n' : '')
    if (item.str.trim()) previousItem = item
  }
  return text
}

const formatField = ({ fieldName, fieldValue }: Annotation): readonly string[] => {
  const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue
  return typeof fieldName === 'string' && typeof value === 'string' && value && value !== 'Off'
    ? [`[field] ${fieldName}: ${value}`]
    : []
}
