/** read_page: returns the text of a web page in portions, if the user has allowed the host. */
import * as z from 'zod'
import type { PageReader, WebPage } from '../../../packages/web-reading/page-reader.ts'
import { PageUnread } from '../../../packages/web-reading/page-unread.ts'
import { webDefinition } from '../../../packages/web-reading/web-definition.ts'
import { findChoice, getStanding, webServer } from '../../../projections/declared-servers.ts'
import { foreignNote } from './foreign-note.ts'
import {
  createFailure,
  defineTool,
  type Permission,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts'

/** UTF-16 units per portion. */
const portion = 12_000

const Input = z.object({
  url: z.string().min(1).max(4000),
  from: z.int().min(0).optional().describe('as results name it'),
})

export const createReadPage = (pages: PageReader): Tool =>
  defineTool({
    name: 'read_page',
    description: 'Read a web page: its text and links.',
    input: Input,
    acts: true,
    permission: ({ url }) => permissionFor(url, pages),
    run: ({ url, from = 0 }, context) => readPage(url, from, context, pages),
  })

/** Returns null for an address that is always refused, so that the user is not asked about it. */
const permissionFor = (text: string, pages: PageReader): Permission | null => {
  const url = addressIn(text, pages)
  if (url instanceof PageUnread) return null
  const refusal = `The person does not want pages of ${url.host} to be read.`
  const outgoing = { address: url }
  return { server: webServer, tool: url.host, definition: webDefinition, refused: refusal, outgoing }
}

const addressIn = (text: string, pages: PageReader): URL | PageUnread => {
  try {
    return pages.address(text)
  } catch (error) {
    if (error instanceof PageUnread) return error
    throw error
  }
}

const readPage = async (
  text: string,
  from: number,
  { persona, signal }: ToolContext,
  pages: PageReader,
): Promise<ToolResult> => {
  const getPermission = (host: string) =>
    getStanding(findChoice(persona.self, { server: webServer, tool: host }), webDefinition)
  try {
    const page = await pages.read(pages.address(text), {
      mayFollow: (host) => getPermission(host) === 'allow',
      signal,
    })
    return 'elsewhere' in page ? leadingTo(page.elsewhere, pages.address(text)) : toResult(page, from)
  } catch (error) {
    if (error instanceof PageUnread) return createFailure(`The page cannot be read: ${error.message}.`)
    throw error
  }
}

const describeOrigin = ({ host }: URL) => ({ origin: { server: webServer, tool: host }, note: foreignNote })

/** The target of a redirect is chosen by the page, so it counts as words of others. */
const leadingTo = (target: URL, requestedUrl: URL): ToolResult => ({
  ok: false,
  output: {
    ...describeOrigin(requestedUrl),
    failed:
      'It leads to an address of another host, which the person has not allowed. Nothing was read there. Ask for that address itself if it is what the person wants.',
    leads_to: target.href.slice(0, 2000),
  },
})

const toResult = ({ url, title, text, links, note }: WebPage, from: number): ToolResult => {
  if (text === '')
    return createFailure('There are no words on the page: it may be made of pictures, or by a program.')
  if (from >= text.length) return createFailure(`The page has only ${text.length} characters.`)
  const next = from + portion < text.length ? from + portion : null
  return {
    ok: true,
    output: {
      ...describeOrigin(url),
      url: url.href,
      title,
      words: text.slice(from, from + portion).toWellFormed(),
      from,
      next,
      length: text.length,
      ...(note && { encoding: note }),
      ...(from === 0 && links.length > 0 && { links: limitLinks(links) }),
    },
  }
}

/** Bytes of all links. The same fact also holds the text. */
const maxLinksLength = 12 * 1024

const limitLinks = (links: WebPage['links']): WebPage['links'] => {
  let size = 0
  return links.filter((link) => {
    size += Buffer.byteLength(JSON.stringify(link))
    return size <= maxLinksLength
  })
}
