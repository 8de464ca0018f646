/** Reads the text of an EPUB book (EPUB 3.3), chapter by chapter in reading order. */
import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { readHtml } from './html.ts'
import { type Limits, Unreadable } from './limits.ts'
import { getAttribute, listen } from './markup.ts'
import type { Paper } from './paper.ts'
import { resolvePart } from './relations.ts'
import { createTables } from './tables.ts'

export const readEpub = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const book = await readBook(archive, await findPackagePart(archive, limits), limits)
  await refuseLocked(archive, book.chapters, limits)
  paper.line([book.title, book.creator].filter(Boolean).join(', '))
  for (const chapter of book.chapters.filter(archive.has)) {
    paper.gap()
    await readHtml(archive.read(chapter), limits, createTables(paper))
  }
}

const findPackagePart = async (archive: Archive, limits: Limits): Promise<string> => {
  let part: string | undefined
  await listen(archive.read('META-INF/container.xml'), limits, {
    open: (name, attributes) => {
      if (name === 'rootfile') part ??= getAttribute(attributes, 'full-path')
    },
  })
  if (part === undefined) throw new Unreadable('damaged')
  return posix.join('/', part).slice(1)
}

interface Book {
  readonly title: string
  readonly creator: string
  readonly chapters: readonly string[]
}

const readBook = async (archive: Archive, part: string, limits: Limits): Promise<Book> => {
  const items = new Map<string, string>()
  const order: string[] = []
  const metadata = { title: '', creator: '' }
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      if (name === 'item')
        items.set(
          getAttribute(attributes, 'id') ?? '',
          resolvePart(part, getAttribute(attributes, 'href') ?? ''),
        )
      if (name === 'itemref') order.push(getAttribute(attributes, 'idref') ?? '')
    },
    words: (text, path) => {
      const name = path.at(-1)
      if (path.at(-2) === 'metadata' && (name === 'title' || name === 'creator')) metadata[name] += text
    },
  })
  const chapters = order.flatMap((id) => items.get(id) ?? [])
  return { title: metadata.title.trim(), creator: metadata.creator.trim(), chapters: [...new Set(chapters)] }
}

/** Throws `Unreadable` if a chapter is encrypted. Encrypted fonts are common and do not matter. */
const refuseLocked = async (archive: Archive, chapters: readonly string[], limits: Limits): Promise<void> => {
  const list = 'META-INF/encryption.xml'
  if (!archive.has(list)) return
  await listen(archive.read(list), limits, {
    open: (name, attributes) => {
      if (
        name === 'CipherReference' &&
        chapters.includes(resolvePart('', getAttribute(attributes, 'URI') ?? ''))
      )
        throw new Unreadable('encrypted')
    },
  })
}
