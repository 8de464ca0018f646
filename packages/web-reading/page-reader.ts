/** Reads pages of the public web for a persona. The user must have allowed their hosts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '../documents/documents.ts'
import { decodeBytes } from '../documents/encodings.ts'
import { markedEncoding } from '../documents/text-encoding.ts'
import { type Lost, startChildProcess } from '../kit/child-process.ts'
import { createSemaphore } from '../kit/flow/keyed-pool.ts'
import { type Reach, usualReach } from '../kit/network/reach.ts'
import { type Elsewhere, type Fetched, fetchPage } from './fetch-page.ts'
import { pageAddress } from './page-address.ts'
import type { PageTask, ParsedPage } from './page-parser.ts'
import { PageUnread } from './page-unread.ts'
import type { ReadPage } from './read-article.ts'

export interface WebPage extends ReadPage {
  /** The address after all redirects. */
  readonly url: URL
  /** Note about a guessed encoding. */
  readonly note?: string | null
}

export interface PageReader {
  /** Parses an address. Throws PageUnread. */
  address(text: string): URL
  /** Throws PageUnread, or the signal's reason. */
  read(address: URL, options: ReadOptions): Promise<WebPage | Elsewhere>
}

interface ReadOptions {
  /** Returns true if the user has allowed the host of a redirect. */
  readonly mayFollow: (host: string) => boolean
  readonly signal: AbortSignal
}

interface Limits {
  /** Max milliseconds for the whole read. */
  readonly ms: number
  /** Max bytes of a page after decompression. */
  readonly bytes: number
}

export interface PageReaderOptions {
  readonly reach?: Partial<Reach>
  readonly limits?: Partial<Limits>
}

interface Deps extends PageReaderOptions {
  readonly documents: Pick<Documents, 'read'>
}

const MiB = 1024 * 1024
const usualLimits: Limits = { ms: 20_000, bytes: 2 * MiB }
/** Max memory of the parser process in bytes, including its base of 80 MB. */
const maxMemory = 400 * MiB

export const createPageReader = ({ documents, limits, reach: givenReach }: Deps): PageReader => {
  const { ms, bytes } = { ...usualLimits, ...limits }
  const reach = { ...usualReach, ...givenReach }
  const runLimited = createSemaphore(2).run
  const timeoutError = new PageUnread(`it took longer than ${ms / 1000} s`)

  const read = async (address: URL, { mayFollow, signal }: ReadOptions, deadlineMs: number) => {
    const response = await fetchPage(address, { mayFollow, maxBytes: bytes, signal }, reach)
    if ('elsewhere' in response) return response
    const kind = getKind(response.type)
    if (kind === 'pdf') return { ...(await readPdf(response, documents, signal)), url: response.url }
    const { bytes: page, type, url } = response
    if (kind === 'json')
      return { title: '', text: decodeBytes(page, markedEncoding(page) ?? 'utf-8').trim(), links: [], url }
    const task = {
      bytes: page,
      type,
      kind,
      url: url.href,
      memory: maxMemory,
      ms: Math.max(1, deadlineMs - performance.now()),
    }
    return { ...(await runLimited(() => parse(task, signal), signal)), url }
  }
  return {
    address: (text) => pageAddress(text.trim(), undefined, reach),
    read: async (address, options) => {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(timeoutError), ms)
      try {
        const signal = AbortSignal.any([options.signal, deadline.signal])
        return await read(address, { ...options, signal }, performance.now() + ms)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

type Kind = 'html' | 'text' | 'json' | 'pdf'

const kinds: Readonly<Record<string, Kind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
  'application/json': 'json',
  'application/pdf': 'pdf',
}

/** Throws PageUnread. */
const getKind = (type: string): Kind => {
  const [mimeType = ''] = type.split(';')
  const name = mimeType.trim()
  const kind = kinds[name] ?? (/^application\/[\w.-]+\+json$/.test(name) ? 'json' : undefined)
  if (kind) return kind
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(name) ? name.slice(0, 60) : null
  throw new PageUnread(
    mediaType ? `its media type ${mediaType} is not supported` : 'the server sends no media type',
  )
}

/** Path of `page-parser.ts` relative to this file in a build. Defined by the build. */
declare const PAGE_PARSER: string | undefined
const file = new URL(typeof PAGE_PARSER === 'string' ? PAGE_PARSER : './page-parser.ts', import.meta.url)

const lostReasons: Readonly<Record<Lost, string>> = {
  too_large: 'there is too much in it',
  too_long: 'extracting its text took too long',
  lost: 'extracting its text failed',
}

/** Throws PageUnread, or the signal's reason. */
const parse = async (task: PageTask, signal: AbortSignal): Promise<ParsedPage> => {
  const parser = await startChildProcess<ParsedPage>({ file, memory: task.memory, signal })
  try {
    parser.say(task)
    const page = await parser.next(task.ms)
    if (typeof page === 'string') throw new PageUnread(lostReasons[page])
    return page
  } finally {
    await parser.end()
  }
}

/** Writes the PDF to a temporary file, because the document reader accepts only files. */
const readPdf = async (
  { bytes }: Fetched,
  documents: Pick<Documents, 'read'>,
  signal: AbortSignal,
): Promise<ReadPage> => {
  const folder = await mkdtemp(join(tmpdir(), 'daimon-page-'))
  try {
    const path = join(folder, 'page.pdf')
    await writeFile(path, bytes, { mode: 0o600 })
    const read = await documents.read(path, 'pdf', signal)
    if (read.kind === 'refused') throw new PageUnread(read.words.split(';')[0] ?? '')
    return { title: '', text: read.text, links: [] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
