/** Reads the comments of office documents, with their authors and dates. */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { getAttribute, listen } from './markup.ts'

export interface Comment {
  author: string
  /** ISO 8601. Empty if the document has no date for it. */
  date: string
  text: string
}

/** One line in brackets. Empty if the comment has no text. */
export const formatComment = ({ author, date, text }: Comment, place = ''): string => {
  const words = text.replace(/\s+/g, ' ').trim()
  const byline = author.trim() && `by ${author.trim()}`
  const source = [place && `on ${place}`, byline, formatDate(date)].filter(Boolean).join(', ')
  return words && `[comment${source && ` ${source}`}: ${words}]`
}

/** To the minute. Office programs write local time with a Z, so the time zone is left out. */
const formatDate = (date: string): string => date.trim().replace('T', ' ').slice(0, 16)

/**
 * Reads the comments of a slide in both PowerPoint formats, in document order. `authors` maps author ids to
 * names.
 */
export const readSlideComments = async (
  archive: Archive,
  part: string,
  authors: ReadonlyMap<string, string>,
  limits: Limits,
): Promise<readonly Comment[]> => {
  const comments: Comment[] = []
  // In the newer format, the replies to a comment come before its own text.
  const open: Comment[] = []
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      if (name !== 'cm' && name !== 'reply') return
      const comment: Comment = {
        author: authors.get(getAttribute(attributes, 'authorId') ?? '') ?? '',
        date: getAttribute(attributes, 'dt') ?? getAttribute(attributes, 'created') ?? '',
        text: '',
      }
      comments.push(comment)
      open.push(comment)
    },
    words: (words, path) => {
      const comment = open.at(-1)
      if (comment && (path.at(-1) === 'text' || path.at(-1) === 't')) comment.text += words
    },
    close: (name) => {
      const comment = open.at(-1)
      if (comment && name === 'p') comment.text += '\n'
      if (name === 'cm' || name === 'reply') open.pop()
    },
  })
  return comments
}

/** Reads the names of the people who commented, by their ids: authors of slides, or persons of a workbook. */
export const readCommenters = async (
  archive: Archive,
  parts: readonly string[],
  limits: Limits,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const part of parts)
    await listen(archive.read(part), limits, {
      open: (element, attributes) => {
        const field = nameFields.get(element)
        if (field) names.set(getAttribute(attributes, 'id') ?? '', getAttribute(attributes, field) ?? '')
      },
    })
  return names
}

/** The attribute with the name, by element. */
const nameFields: ReadonlyMap<string, string> = new Map([
  ['cmAuthor', 'name'],
  ['author', 'name'],
  ['person', 'displayName'],
])

/** Keys are cell references, like `B2`. */
type CellComments = ReadonlyMap<string, readonly Comment[]>

/**
 * Reads the comments of a sheet. Excel writes a discussion twice: in `threaded` with authors and dates, and
 * in `comments` as one text for old programs, whose author begins with `tc=`.
 */
export const readCellComments = async (
  archive: Archive,
  parts: { readonly comments: readonly string[]; readonly threaded: readonly string[] },
  people: ReadonlyMap<string, string>,
  limits: Limits,
): Promise<CellComments> => {
  const commentsByCell = new Map<string, Comment[]>()
  let comment: Comment | undefined
  const beginComment = (place: string, author: string, date: string) => {
    comment = { author, date, text: '' }
    commentsByCell.set(place, [...(commentsByCell.get(place) ?? []), comment])
  }
  const addWords = (words: string, path: readonly string[]) => {
    const isText = path.at(-1) === 'text' || (path.at(-1) === 't' && path.at(-2) !== 'rPh')
    if (comment && isText) comment.text += words
  }
  for (const part of parts.comments) {
    const authors: string[] = []
    await listen(archive.read(part), limits, {
      open: (name, attributes) => {
        if (name === 'author') authors.push('')
        if (name !== 'comment') return
        const author = authors[Number(getAttribute(attributes, 'authorId'))] ?? ''
        if (author.startsWith('tc=')) comment = undefined
        else beginComment(getAttribute(attributes, 'ref') ?? '', author, '')
      },
      words: (words, path) => {
        if (path.at(-1) === 'author') authors.push((authors.pop() ?? '') + words)
        else addWords(words, path)
      },
    })
  }
  for (const part of parts.threaded)
    await listen(archive.read(part), limits, {
      open: (name, attributes) => {
        if (name !== 'threadedComment') return
        const person = people.get(getAttribute(attributes, 'personId') ?? '') ?? ''
        beginComment(getAttribute(attributes, 'ref') ?? '', person, getAttribute(attributes, 'dT') ?? '')
      },
      words: addWords,
    })
  return commentsByCell
}
