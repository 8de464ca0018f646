/** Generates client requests, both from the daemon's own description and invalid ones. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Chance } from '../random.ts'
import { junk } from './junk.ts'
import {
  canary,
  pickAnything,
  pickOne,
  pickText,
  pickValue,
  type Schema,
  type Schemas,
  spoil,
  toBytes,
} from './values.ts'
import type { FuzzShot } from './wire.ts'

/** The parts of `GET /openapi.json` that are used here. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Schemas }
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

export type Grammar = (chance: Chance, ids: readonly string[]) => FuzzShot

interface Route extends Operation {
  readonly path: string
  readonly method: string
}

const pages = [
  '/',
  '/docs',
  '/assets/nothing.js',
  '/assets/',
  '/openapi.json',
  '/favicon.ico',
  '/api',
  '/api/nothing',
  '/v1',
  '/v1/models',
  '/ws/system',
  '*',
]

export const createGrammar = ({ paths, components = {} }: Description, port: number): Grammar => {
  const describedRoutes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Route => ({ ...operation, path, method: method.toUpperCase() }),
    ),
  )
  const pick = createPick(describedRoutes)
  const { schemas = {} } = components

  return (chance, ids) => {
    if (chance.next() < 0.12) return junk(chance, port, pickPath(pick(chance), chance, ids))
    const route = pick(chance)
    const method = pickMethod(route, chance)
    const path = pickPath(route, chance, ids)
    const target = oddly(`${path}${pickQuery(route, schemas, chance)}`, chance)
    const { type, body } = bodyFor(route, schemas, chance)
    const { pieces, isTooLarge } = frameBody({ method, target, type, body, port }, chance)
    return {
      mode: 'whole',
      description: `${method} ${target.slice(0, 120)}`,
      pieces,
      bodiless: method === 'HEAD',
      // A request with `wait` may take ten minutes.
      leave: /[?&]wait=/.test(target) ? chance.pickBetween(20, 250) : null,
      end: false,
      isTooLarge,
    }
  }
}

/**
 * Chooses all routes equally often, except expensive ones and those that remove personas, which are rarer.
 */
const createPick = (describedRoutes: readonly Route[]) => {
  const pageRoutes = pages.map((path): Route => ({ path, method: 'GET' }))
  const frequentRoutes = describedRoutes.filter(
    ({ path }) => !/\/(delete|create|fork|restart|migrate|export)$/.test(path),
  )
  return (chance: Chance): Route => {
    const share = chance.next()
    const choice = pickOne(share < 0.1 ? pageRoutes : share < 0.3 ? describedRoutes : frequentRoutes, chance)
    if (!choice) throw new Error('the description is empty')
    return choice
  }
}

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
] as const
const pickMethod = ({ method }: Route, chance: Chance): string =>
  chance.next() < 0.92 ? method : chance.pick(methods)

const segments = [
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%',
  '%zz',
  '%E0%A4%A',
  '%ff',
  'system',
  'create',
  '__proto__',
  'constructor',
  '%F0%9F%92%A5',
  ';a=b',
  'a%20b',
  '00000000-0000-4000-8000-000000000000',
  '%5c..%5c',
  '~',
  'con',
  `${'x'.repeat(3000)}`,
] as const

const pickPath = ({ path }: Route, chance: Chance, ids: readonly string[]): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const knownIds = name === 'persona_id' ? pickOne(ids, chance) : undefined
    if (knownIds !== undefined && chance.next() < 0.8)
      return chance.next() < 0.97 ? knownIds : knownIds.toUpperCase()
    return chance.next() < 0.5
      ? chance.pick(segments)
      : encodeURIComponent(pickText(chance).toWellFormed().slice(0, 500))
  })

const oddly = (target: string, chance: Chance): string => {
  const roll = chance.pickBetween(1, 120)
  if (roll === 1) return `/${target}`
  if (roll === 2) return `${target}/`
  if (roll === 3) return target.toUpperCase()
  if (roll === 4) return target.replace('/api', '/api/.')
  if (roll === 5) return `${target}#fragment`
  if (roll === 6) return `http://localhost${target}`
  if (roll === 7) return target.replaceAll('a', '%61')
  if (roll === 8) return `${target}${'/..'.repeat(50)}`
  return target
}

const pickQuery = ({ parameters = [] }: Route, schemas: Schemas, chance: Chance): string => {
  // A request that follows a journal never ends, which would look like a missing response here.
  const queryParameters = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'follow')
  const pairs = queryParameters
    .filter(() => chance.next() < 0.6)
    .map(
      ({ name, schema }) =>
        [name, chance.next() < 0.8 ? pickValue(schema, schemas, chance, name) : pickText(chance)] as const,
    )
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed().slice(0, 2000))}`)
  const roll = chance.pickBetween(1, 60)
  const extraPairs =
    roll === 1
      ? [`api_key=${canary}`]
      : roll === 2
        ? ['a[b][c]=1', '__proto__[x]=1', '=', '&&']
        : roll === 3
          ? [`q=${'y'.repeat(6000)}`]
          : roll === 4
            ? ['x=%zz%']
            : roll === 5
              ? pairs
              : []
  const all = [...pairs, ...extraPairs]
  return all.length > 0 ? `?${all.join('&')}` : roll === 6 ? '?' : ''
}

interface Body {
  readonly type: string | undefined
  readonly body: Buffer | undefined
}

const bodyFor = ({ requestBody, method }: Route, schemas: Schemas, chance: Chance): Body => {
  const [type, content] = pickOne(Object.entries(requestBody?.content ?? {}), chance) ?? []
  if (type === undefined || !content) {
    if (chance.next() < 0.9 || method === 'GET') return { type: undefined, body: undefined }
    return { type: 'application/json', body: toBytes(pickAnything(chance), chance) }
  }
  const value = pickValue(content.schema ?? {}, schemas, chance)
  const spoiledValue = chance.next() < 0.65 ? value : spoil(value, chance)
  if (/multipart/.test(type)) return multipart(spoiledValue, filesIn(content.schema ?? {}, schemas), chance)
  return { type, body: toBytes(spoiledValue, chance) }
}

/** Names of the form's parts that are files. */
const filesIn = ({ $ref, properties = {} }: Schema, schemas: Schemas): readonly string[] => {
  if ($ref !== undefined) return filesIn(schemas[$ref.replace('#/components/schemas/', '')] ?? {}, schemas)
  return Object.keys(properties).filter((name) => properties[name]?.format === 'binary')
}

/** Builds a form with files; some have unexpected parts or a broken frame. */
const multipart = (value: unknown, files: readonly string[], chance: Chance): Body => {
  const boundary = chance.pick(['x', '----daimon', `${'b'.repeat(70)}`])
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const extraParts = chance.next() < 0.15 ? [chance.pick(oddParts)] : []
  const parts = [...fields, ...extraParts].map(([name, inner]) => {
    const isFile = files.includes(name) ? chance.next() < 0.95 : chance.next() < 0.05
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${isFile ? chance.pick(fileNames) : ''}\r\n${chance.pick(partHeaders)}`
    const text = typeof inner === 'string' ? inner : (JSON.stringify(inner) ?? '')
    return Buffer.concat([
      Buffer.from(`${head}\r\n`),
      isFile ? pickContent(text, chance) : Buffer.from(text),
      Buffer.from('\r\n'),
    ])
  })
  const fullBody = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  const body = chance.next() < 0.85 ? fullBody : fullBody.subarray(0, chance.pickBetween(0, fullBody.length))
  return { type: `multipart/form-data${chance.next() < 0.95 ? `; boundary=${boundary}` : ''}`, body }
}

type OddPart = readonly [name: string, content: string]
const oddParts: readonly [OddPart, ...OddPart[]] = [
  ['file', 'as a text'],
  ['__proto__[polluted]', 'yes'],
  ['caption[0][a]', 'x'],
  ['caption[99999999]', 'x'],
  ['a[b][c][]', 'x'],
  ['', 'nameless'],
  ['api_key', `sk-${canary}`],
]

const fileNames = [
  '; filename="a.txt"',
  '; filename="../../a"',
  '; filename="a.png"',
  '; filename="b.docx"',
  '; filename="c.pdf"',
  '; filename=""',
  '; filename="é".webm"',
  '; filename="x.diary"',
  "; filename*=UTF-8''%e2%82%ac%00.ogg",
  `; filename="${'n'.repeat(3000)}.md"`,
  '; filename=bare',
] as const

const partHeaders = [
  '',
  '',
  '',
  'Content-Type: application/octet-stream\r\n',
  'Content-Type: text/plain; charset=utf-16le\r\n',
  'Content-Type: text/plain; charset=odd\r\n',
  'Content-Type: ;\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'no header\r\n',
] as const

/** Bytes of many kinds; some match the file type of the name. */
const pickContent = (text: string, chance: Chance): Buffer => {
  const roll = chance.pickBetween(1, 8)
  if (roll === 1) return Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  if (roll === 2) return Buffer.from(`%PDF-1.4\n${text}`)
  if (roll === 3) return Buffer.from('504b0304140000000800', 'hex')
  if (roll === 4) return Buffer.from('1a45dfa3004282847765626d', 'hex')
  if (roll === 5)
    return Buffer.from(Array.from({ length: chance.pickBetween(0, 3000) }, () => chance.pickBetween(0, 255)))
  if (roll === 6) return Buffer.alloc(chance.pick([0, 1, 65_536, 300_000]), 0x61)
  return Buffer.from(text)
}

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;charset="utf-8"',
  'application/problem+json',
  'application/json; charset=\u00ff',
  ';',
  'application/json, text/html',
  '',
] as const

interface Framing {
  readonly method: string
  readonly target: string
  readonly type: string | undefined
  readonly body: Buffer | undefined
  readonly port: number
}

const frameBody = (
  { method, target, type, body, port }: Framing,
  chance: Chance,
): { pieces: readonly Buffer[]; isTooLarge: boolean } => {
  const contentType = type !== undefined && chance.next() < 0.06 ? chance.pick(types) : type
  const { bytes, encoding } = packBody(body, chance)
  const isChunked = bytes !== undefined && chance.next() < 0.1
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${chance.next() < 0.97 ? `localhost:${port}` : chance.pick(['evil.test', '', '[::1]', 'localhost:99999', '127.0.0.1'])}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]),
    ...(bytes === undefined
      ? []
      : [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`]),
    ...pickHeaders(port, chance),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const chunks = bytes === undefined ? [] : isChunked ? toChunks(bytes, chance) : [bytes]
  const pieces = chance.next() < 0.9 ? [Buffer.concat([head, ...chunks])] : [head, ...chunks]
  return { pieces, isTooLarge: (bytes?.length ?? 0) > 500_000 || head.length > 16_000 }
}

interface Packed {
  readonly bytes: Buffer | undefined
  readonly encoding?: string
}

const mebi = 1024 * 1024
const bombs: readonly [Packed, ...Packed[]] = [
  { encoding: 'gzip', bytes: gzipSync(Buffer.alloc(40 * mebi, '[')) },
  { encoding: 'br', bytes: brotliCompressSync(Buffer.alloc(40 * mebi, '[')) },
  { encoding: 'deflate', bytes: deflateSync(Buffer.alloc(8 * mebi, '"')) },
]

const packBody = (body: Buffer | undefined, chance: Chance): Packed => {
  const roll = chance.pickBetween(1, 100)
  if (body === undefined || roll > 9) return { bytes: body }
  if (roll === 1) return { bytes: gzipSync(body), encoding: 'gzip' }
  if (roll === 2) return { bytes: brotliCompressSync(body), encoding: 'br' }
  if (roll === 3) return { bytes: deflateSync(body), encoding: 'deflate' }
  if (roll === 4) return chance.pick(bombs)
  if (roll === 5)
    return {
      bytes: body,
      encoding: chance.pick(['gzip', 'br', 'deflate', 'zstd', 'gzip, br', 'identity', 'x']),
    }
  if (roll === 6) return { bytes: gzipSync(body).subarray(0, 15), encoding: 'gzip' }
  if (roll === 7) return { bytes: Buffer.concat([gzipSync(body), Buffer.from('more')]), encoding: 'GZIP' }
  return { bytes: body }
}

const toChunks = (bytes: Buffer, chance: Chance): readonly Buffer[] => {
  const chunks: Buffer[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const chunk = bytes.subarray(offset, offset + chance.pickBetween(1, Math.max(1, bytes.length)))
    const extension = chance.next() < 0.1 ? ';a=b' : ''
    chunks.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'))
    offset += chunk.length
  }
  return [...chunks, Buffer.from(chance.next() < 0.1 ? '0\r\nTrailer: x\r\n\r\n' : '0\r\n\r\n')]
}

/** Adds one random header sometimes, two rarely. */
const pickHeaders = (port: number, chance: Chance): readonly string[] => {
  const count = chance.pick([0, 0, 0, 0, 1, 2])
  return Array.from({ length: count }, () => chance.pick(headerMakers)(chance, port))
}

type HeaderMaker = (chance: Chance, port: number) => string
const headerMakers: readonly [HeaderMaker, ...HeaderMaker[]] = [
  (chance) =>
    `Range: ${chance.pick(['bytes=0-1', 'bytes=99999999-', 'bytes=-0', 'bytes=5-1', 'bytes=0-0,2-3', 'lines=1', 'bytes=a-b', `bytes=${'0-1,'.repeat(500)}`])}`,
  (chance) => `If-Match: ${chance.pick(['"x"', '*', 'W/"x"', ''])}`,
  (chance) => `If-None-Match: ${chance.pick(['*', '"x"', 'W/"x", "y"'])}`,
  (chance) => `If-Unmodified-Since: ${chance.pick(['Thu, 01 Jan 1970 00:00:00 GMT', 'never', '-1'])}`,
  (chance) => `If-Modified-Since: ${chance.pick(['Thu, 01 Jan 2099 00:00:00 GMT', 'x'])}`,
  (chance) => `If-Range: ${chance.pick(['"x"', 'Thu, 01 Jan 1970 00:00:00 GMT'])}`,
  (chance) => `Expect: ${chance.pick(['100-continue', '100-CONTINUE', 'magic', ''])}`,
  (chance) => `Connection: ${chance.pick(['close', 'keep-alive', 'x', 'close, keep-alive', 'TE'])}`,
  (chance) => `Connection: Upgrade\r\nUpgrade: ${chance.pick(['h2c', 'TLS/1.0', 'x'])}`,
  (chance, port) => `Origin: ${chance.pick([`http://localhost:${port}`, 'null', 'http://evil.test', ''])}`,
  (chance) =>
    `Sec-Fetch-Site: ${chance.pick(['same-origin', 'none', 'cross-site', 'x'])}\r\nSec-Fetch-Mode: ${chance.pick(['navigate', 'cors'])}\r\nSec-Fetch-Dest: document`,
  (chance) =>
    `Idempotency-Key: ${chance.pick(['a', 'b', '', 'k'.repeat(4000), '\u00e9\u00ff', '__proto__', '\t'])}`,
  () => `Host: localhost`,
  () => `Authorization: Bearer ${canary}`,
  () => `Cookie: ${'c=d; '.repeat(800)}`,
  (chance) => Array.from({ length: chance.pickBetween(1, 200) }, (_, n) => `X-${n}: ${n}`).join('\r\n'),
  (chance) => `X-Long: ${'x'.repeat(chance.pick([4000, 12_000, 15_900, 17_000, 60_000]))}`,
  (chance) => `Accept: ${chance.pick(['*/*', 'text/html', 'application/xml;q=x', ','.repeat(900)])}`,
  (chance) => `Accept-Encoding: ${chance.pick(['gzip', 'br;q=0', '*', 'identity;q=0'])}`,
  () => 'X-HTTP-Method-Override: DELETE',
  () => 'X-Forwarded-Host: evil.test\r\nX-Forwarded-For: 1.2.3.4\r\nForwarded: host=evil.test',
  (chance) => `Content-Type: ${chance.pick(types)}`,
  () => 'Content-Language: \u00ff\u00fe',
  () => 'TE: trailers, deflate',
  () => '__proto__: x\r\nconstructor: y',
]
