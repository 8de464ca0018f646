/**
 * A public site and a private machine, both on loopback and on the same port: 127.0.0.2 counts as public
 * here, and 127.0.0.1 is private.
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Documents } from '../../packages/documents/documents.ts'
import type { Reach } from '../../packages/kit/network/reach.ts'
import {
  createPageReader,
  type PageReader,
  type PageReaderOptions,
} from '../../packages/web-reading/page-reader.ts'
import { replyDeps } from '../chat-only-models.ts'

export const [publicAddress, homeAddress] = ['127.0.0.2', '127.0.0.1']

export interface Site {
  readonly port: number
  /** Requests to the site, as `GET host path`. */
  readonly requests: string[]
  /** Number of connections to the private machine. */
  readonly home: () => number
  /** Addresses by name. A longer list is used lookup by lookup. */
  readonly names: Map<string, string[][]>
  /** The reader's DNS lookup, and the addresses that it treats as public. */
  readonly reach: Reach
  readonly reader: PageReader
  url(host: string, path?: string): string
  close(): Promise<void>
}

export const openSite = async (
  serve: RequestListener,
  {
    limits,
    documents = replyDeps.documents,
  }: PageReaderOptions & { documents?: Pick<Documents, 'read'> } = {},
): Promise<Site> => {
  const requests: string[] = []
  const names = new Map<string, string[][]>()
  let connections = 0
  const site = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.split(':')[0]} ${request.url}`)
    serve(request, response)
  })
  const home = createServer((_, response) => response.end('<p>secrets of the house</p>'))
  home.on('connection', () => connections++)
  const port = await listenBoth(site, home)
  const reach: Reach = {
    isPublic: (address) => address === publicAddress,
    resolve: async (name) => {
      const answers = names.get(name) ?? [[publicAddress]]
      const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      return addresses.map((address) => ({ address, family: 4 }))
    },
  }
  const reader = createPageReader({ documents, ...(limits && { limits }), reach })
  return {
    port,
    requests: requests,
    names,
    reach,
    reader,
    home: () => connections,
    url: (host, path = '/') => `http://${host}:${port}${path}`,
    close: async () => {
      for (const server of [site, home]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

type Listening = ReturnType<typeof createServer>

/** A free port of one address may be in use on the other. */
const listenBoth = async (site: Listening, home: Listening): Promise<number> => {
  for (let tries = 0; ; tries++) {
    const port = await listen(site, publicAddress, 0)
    try {
      return await listen(home, homeAddress, port)
    } catch (error) {
      if (tries === 9) throw error
      await new Promise((resolve) => site.close(resolve))
    }
  }
}

const listen = async (server: Listening, host: string, port: number) => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

export const article = (text = 'A sentence of the article, with commas, to be read at leisure.') =>
  `<!doctype html><html><head><title>The title</title></head><body><nav><a href="/nav">menu</a></nav>
<article><h1>The title</h1>${`<p>${text} <a href="/more?a=1&amp;b=2">more of it</a></p>`.repeat(12)}
<ul><li>one</li><li><p>two</p></li></ul></article><footer>imprint</footer></body></html>`

/** Returns the text, the redirect or the refusal. */
export const tryToRead = async (
  { reader }: Site,
  text: string,
  mayFollow: (host: string) => boolean = () => true,
): Promise<string> => {
  try {
    const page = await reader.read(reader.address(text), { mayFollow, signal: new AbortController().signal })
    return 'elsewhere' in page ? `elsewhere ${page.elsewhere.host}` : page.text
  } catch (error) {
    return String(error)
  }
}
