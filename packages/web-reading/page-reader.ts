/** Pages of the public web, read for a persona whose person has allowed their hosts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '../documents/documents.ts'
import { decodeBytes } from '../documents/encodings.ts'
import { markedEncoding } from '../documents/text-encoding.ts'
import { type Lost, startApart } from '../kit/child-process.ts'
import { createSemaphore } from '../kit/flow/keyed-pool.ts'
import { type Reach, usualReach } from '../kit/network/reach.ts'
import { type Elsewhere, type Fetched, fetchPage } from './fetch-page.ts'
import { pageAddress } from './page-address.ts'
import type { PageTask, ParsedPage } from './page-parser.ts'
import { PageUnread } from './page-unread.ts'
import type { ReadPage } from './read-article.ts'

export interface WebPage extends ReadPage {
  /** Where it was found in the end. */
  readonly url: URL
  /** Of an encoding that was guessed. */
  readonly note?: string | null
}

export interface PageReader {
  /** What a text means as an address. Throws PageUnread. */
  address(text: string): URL
  /** Throws PageUnread, or the signal's reason. */
  read(address: URL, asked: Asked): Promise<WebPage | Elsewhere>
}

interface Asked {
  /** Whether the person has allowed another host that the page leads to. */
  readonly mayFollow: (host: string) => boolean
  readonly signal: AbortSignal
}

interface Limits {
  /** Milliseconds for all of it. */
  readonly ms: number
  /** Bytes of a page, unpacked. */
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
const usual: Limits = { ms: 20_000, bytes: 2 * MiB }
/** Bytes that the process may take which looks for the words, its own 80 MB included. */
const memory = 400 * MiB

export const createPageReader = ({ documents, limits, reach: given }: Deps): PageReader => {
  const { ms, bytes } = { ...usual, ...limits }
  const reach = { ...usualReach, ...given }
  const inTurn = createSemaphore(2).run
  const late = new PageUnread(`it took longer than ${ms / 1000} s`)

  const read = async (address: URL, { mayFollow, signal }: Asked, until: number) => {
    const fetched = await fetchPage(address, { mayFollow, most: bytes, signal }, reach)
    if ('elsewhere' in fetched) return fetched
    const kind = kindOf(fetched.type)
    if (kind === 'pdf') return { ...(await readPdf(fetched, documents, signal)), url: fetched.url }
    const { bytes: page, type, url } = fetched
    if (kind === 'json')
      return { title: '', text: decodeBytes(page, markedEncoding(page) ?? 'utf-8').trim(), links: [], url }
    const task = {
      bytes: page,
      type,
      kind,
      url: url.href,
      memory,
      ms: Math.max(1, until - performance.now()),
    }
    return { ...(await inTurn(() => parse(task, signal), signal)), url }
  }
  return {
    address: (text) => pageAddress(text.trim(), undefined, reach),
    read: async (address, asked) => {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(late), ms)
      try {
        const signal = AbortSignal.any([asked.signal, deadline.signal])
        return await read(address, { ...asked, signal }, performance.now() + ms)
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
const kindOf = (type: string): Kind => {
  const [plain = ''] = type.split(';')
  const name = plain.trim()
  const kind = kinds[name] ?? (/^application\/[\w.-]+\+json$/.test(name) ? 'json' : undefined)
  if (kind) return kind
  const said = /^[\w.+-]+\/[\w.+-]+$/.test(name) ? name.slice(0, 60) : null
  throw new PageUnread(
    said ? `it is of the kind ${said}, and no page of words` : 'it does not say what kind of thing it is',
  )
}

/** Where a build has put `page-parser.ts`, seen from here; told by the build. */
declare const PAGE_PARSER: string | undefined
const file = new URL(typeof PAGE_PARSER === 'string' ? PAGE_PARSER : './page-parser.ts', import.meta.url)

const lost: Readonly<Record<Lost, string>> = {
  too_large: 'there is too much in it',
  too_long: 'looking for its words took too long',
  lost: 'looking for its words came to no end',
}

/** Throws PageUnread, or the signal's reason. */
const parse = async (task: PageTask, signal: AbortSignal): Promise<ParsedPage> => {
  const parser = await startApart<ParsedPage>({ file, memory: task.memory, signal })
  try {
    parser.say(task)
    const page = await parser.next(task.ms)
    if (typeof page === 'string') throw new PageUnread(lost[page])
    return page
  } finally {
    await parser.end()
  }
}

/** By way of a file: who reads documents takes nothing else. */
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
