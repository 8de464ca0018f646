/**
 * A stand-in for the model hub and Ollama's registry over a real socket: redirects to a second server for the
 * bytes, ranges, ETags, and faults on demand.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface HubFaults {
  /** Ends a response after this many bytes of the file, this many times. */
  cutAt: number | null
  cuts: number
  /** Changes one byte of the file in every response. */
  wrongByte: boolean
  /** Sends a login page instead of a file. */
  html: boolean
  /** Ignores ranges. */
  noRanges: boolean
  /** Status of every answer of the hub. */
  status: number | null
  /** Redirects to this address instead of the server for the bytes. */
  redirect: string | null
  /** Sends no SHA-256. */
  noDigest: boolean
  /** Ms between two pieces of 64 KiB. */
  pause: number
}

export interface HubStandIn {
  readonly url: string
  readonly faults: HubFaults
  /** Method, path and range of each request. */
  readonly log: readonly string[]
  /** Replaces the file. */
  setFile(bytes: Buffer): void
  readonly sha256: string
  close(): Promise<void>
}

/** Returns bytes that begin like a model. */
export const createModelBytes = (size: number, seed = 1): Buffer => {
  const bytes = Buffer.alloc(size)
  for (let offset = 0; offset < size; offset += 1)
    bytes[offset] = (offset * 31 + seed * 17 + (offset >> 8)) & 0xff
  bytes.write('GGUF')
  return bytes
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export const createHub = async (first: Buffer): Promise<HubStandIn> => {
  let file = first
  const log: string[] = []
  const faults: HubFaults = {
    cutAt: null,
    cuts: Number.POSITIVE_INFINITY,
    wrongByte: false,
    html: false,
    noRanges: false,
    status: null,
    redirect: null,
    noDigest: false,
    pause: 0,
  }

  const sendFile = async (request: IncomingMessage, response: ServerResponse) => {
    if (faults.html) return sendPage(response)
    const bytes = Buffer.from(file)
    if (faults.wrongByte) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    const etag = `"${sha256(file).slice(0, 32)}"`
    const ifRange = request.headers['if-range']
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const isPartial = range !== null && !faults.noRanges && (ifRange === undefined || ifRange === etag)
    const start = isPartial ? Number(range[1]) : 0
    if (start >= bytes.length) return void response.writeHead(416).end()
    response.writeHead(isPartial ? 206 : 200, {
      etag,
      'content-type': 'application/octet-stream',
      'content-length': bytes.length - start,
      ...(isPartial && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    })
    const end = faults.cutAt !== null && faults.cuts > 0 ? Math.max(start, faults.cutAt) : bytes.length
    for (let offset = start; offset < end && !response.destroyed; offset += 65_536) {
      response.write(bytes.subarray(offset, Math.min(end, offset + 65_536)))
      if (faults.pause > 0) await wait(faults.pause)
    }
    if (end === bytes.length) return void response.end()
    faults.cuts -= 1
    // Without the pause the last bytes may be lost with the connection.
    await wait(20)
    response.destroy()
  }
  const bytesServer = await listen((request, response) => {
    log.push(`${request.method} bytes ${request.headers.range ?? ''}`.trim())
    void sendFile(request, response)
  })
  const hub = await listen((request, response) => {
    const path = request.url ?? ''
    log.push(`${request.method} ${path}`)
    if (faults.status !== null) return void response.writeHead(faults.status).end()
    if (faults.html) return sendPage(response)
    if (path.includes('missing')) return void response.writeHead(404).end()
    if (path.includes('/manifests/')) return sendManifest(response)
    const location = faults.redirect ?? `${bytesServer.url}/signed?token=secret`
    response
      .writeHead(302, {
        location,
        'x-linked-size': file.length,
        ...(!faults.noDigest && { 'x-linked-etag': `"${sha256(file)}"` }),
      })
      .end()
  })
  const sendManifest = (response: ServerResponse) => {
    const digest = `sha256:${sha256(file)}`
    const layers = [
      { mediaType: 'application/vnd.ollama.image.template', digest: `sha256:${'0'.repeat(64)}`, size: 5 },
      { mediaType: 'application/vnd.ollama.image.model', digest, size: file.length },
    ]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ layers }))
  }
  return {
    url: hub.url,
    faults,
    log,
    setFile: (bytes) => {
      file = bytes
    },
    get sha256() {
      return sha256(file)
    },
    close: async () => {
      await hub.close()
      await bytesServer.close()
    },
  }
}

const sendPage = (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<html><h1>Log in to the network</h1></html>')

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
