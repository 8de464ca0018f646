/**
 * Malformed bytes for a connection of their own: truncated and smuggled requests, other protocols, valid and
 * invalid WebSocket upgrades.
 */
import type { Chance } from '../random.ts'
import { canary } from './values.ts'
import type { FuzzShot } from './wire.ts'

/** `path` exists or nearly exists. */
export const junk = (chance: Chance, port: number, path: string): FuzzShot => {
  const [label, make] = chance.pick(kinds)
  const host = `Host: localhost:${port}`
  const pieces = make({ chance, path, host })
  // Some clients end their side, others disconnect in the middle.
  const end = chance.next() < 0.75
  return {
    mode: 'raw',
    description: `${label} ${path.slice(0, 80)}`,
    pieces,
    bodiless: false,
    leave: end ? null : chance.pickBetween(0, 30),
    end,
    isTooLarge: true,
  }
}

interface JunkContext {
  readonly chance: Chance
  readonly path: string
  readonly host: string
}
type Kind = readonly [label: string, make: (context: JunkContext) => readonly (string | Buffer)[]]

const request = (line: string, headers: readonly string[], body = ''): string =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`
const noise = (chance: Chance, maxBytes: number): Buffer =>
  Buffer.from(Array.from({ length: chance.pickBetween(1, maxBytes) }, () => chance.pickBetween(0, 255)))
const json = (length: number | string) => [`Content-Type: application/json`, `Content-Length: ${length}`]

const kinds: readonly [Kind, ...Kind[]] = [
  ['noise', ({ chance }) => [noise(chance, 600)]],
  ['noise behind a request line', ({ chance, path }) => [`GET ${path} HTTP/1.1\r\n`, noise(chance, 200)]],
  [
    'a TLS hello',
    ({ chance }) => [Buffer.concat([Buffer.from('16030100c8010000c40303', 'hex'), noise(chance, 200)])],
  ],
  ['an HTTP/2 preface', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', Buffer.from('000000040000000000', 'hex')]],
  ['HTTP/0.9', ({ path }) => [`GET ${path}\r\n`]],
  ['HTTP/1.0', ({ path, host }) => [request(`GET ${path} HTTP/1.0`, [host])]],
  [
    'another version',
    ({ chance, path, host }) => [
      request(`GET ${path} HTTP/${chance.pick(['2.0', '1.2', '9', '1.1.1', ''])}`, [host]),
    ],
  ],
  ['nothing', () => []],
  [
    'empty lines',
    ({ chance, path, host }) => [
      '\r\n'.repeat(chance.pickBetween(1, 50)),
      request(`GET ${path} HTTP/1.1`, [host]),
    ],
  ],
  [
    'half a request',
    ({ chance, path, host }) => {
      const fullRequest = request(
        `POST ${path} HTTP/1.1`,
        [host, ...json(30)],
        `{"name":"a","api_key":"${canary}`,
      )
      return [fullRequest.slice(0, chance.pickBetween(1, fullRequest.length - 1))]
    },
  ],
  [
    'pipelined',
    ({ chance, path, host }) => [request(`GET ${path} HTTP/1.1`, [host]).repeat(chance.pickBetween(2, 30))],
  ],
  [
    'pipelined with posts',
    ({ path, host }) => [
      request(`POST ${path} HTTP/1.1`, [host, ...json(2)], '{}') +
        request('GET /api/personas HTTP/1.1', [host]) +
        request(`POST ${path} HTTP/1.1`, [host, ...json(2)], '{'),
    ],
  ],
  [
    'a length too long',
    ({ chance, path, host }) => [
      request(`POST ${path} HTTP/1.1`, [host, ...json(chance.pick([3, 100, 1_000_000, 9e15]))], '{}'),
    ],
  ],
  [
    'a length too short',
    ({ path, host }) => [request(`POST ${path} HTTP/1.1`, [host, ...json(1)], '{"message":"x"}')],
  ],
  [
    'a length that is none',
    ({ chance, path, host }) => [
      request(
        `POST ${path} HTTP/1.1`,
        [host, ...json(chance.pick(['-1', '+2', '0x2', '2, 2', '', '1e1', '99999999999999999999']))],
        '{}',
      ),
    ],
  ],
  [
    'two lengths',
    ({ path, host }) => [
      request(`POST ${path} HTTP/1.1`, [host, ...json(2), 'Content-Length: 7'], '{}GET / '),
    ],
  ],
  [
    'length and chunks',
    ({ path, host }) => [
      request(
        `POST ${path} HTTP/1.1`,
        [host, ...json(4), 'Transfer-Encoding: chunked'],
        '5c\r\n{}\r\n0\r\n\r\n',
      ),
    ],
  ],
  [
    'odd encodings of transfer',
    ({ chance, path, host }) => [
      request(
        `POST ${path} HTTP/1.1`,
        [
          host,
          `Transfer-Encoding: ${chance.pick(['chunked, chunked', 'xchunked', ' chunked', 'gzip, chunked', 'chunked, identity', '\x0bchunked', 'CHUNKED'])}`,
        ],
        '2\r\n{}\r\n0\r\n\r\n',
      ),
    ],
  ],
  [
    'broken chunks',
    ({ chance, path, host }) => [
      request(
        `POST ${path} HTTP/1.1`,
        [host, 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
        chance.pick([
          '-1\r\n',
          'zz\r\n{}',
          '2\r\n{}',
          '2;\r\n{}\r\n0\r\n',
          'ffffffffffffffff\r\n{}',
          '2\r\n{}XX',
          `2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
          '0\r\nX: \x00\r\n\r\n',
        ]),
      ),
    ],
  ],
  [
    'odd lines',
    ({ chance, path, host }) => [
      request(
        chance.pick([
          `GET  ${path} HTTP/1.1`,
          `GET\t${path} HTTP/1.1`,
          `get ${path} HTTP/1.1`,
          `G\x00T ${path} HTTP/1.1`,
          `GET ${path}\x7f\x01 HTTP/1.1`,
          `GET ${path} é HTTP/1.1`,
          ` GET ${path} HTTP/1.1`,
          `GET HTTP/1.1`,
          `FOO ${path} HTTP/1.1`,
          `GET ${path.slice(1)} HTTP/1.1`,
          `GET /${'p'.repeat(20_000)} HTTP/1.1`,
        ]),
        [host],
      ),
    ],
  ],
  [
    'odd headers',
    ({ chance, path, host }) => [
      request(`GET ${path} HTTP/1.1`, [
        host,
        chance.pick([
          'no colon',
          ': no name',
          'X : space',
          ' folded: yes',
          'X: a\r\n b',
          'X: \x00',
          'X\x00: a',
          'X: \x01\x7f',
          'é: x',
          `${'n'.repeat(20_000)}: x`,
          'X: a\rY: b',
          'Content-Length: 5\nX: y',
          Array.from({ length: 3000 }, (_, n) => `X${n}: y`).join('\r\n'),
        ]),
      ]),
    ],
  ],
  ['bare line feeds', ({ path, host }) => [`GET ${path} HTTP/1.1\n${host}\n\n`]],
  [
    'no host, or two',
    ({ chance, path, host }) => [
      request(
        `GET ${path} HTTP/1.1`,
        chance.pick<readonly string[]>([[], [host, 'Host: evil.test'], ['Host: a b']]),
      ),
    ],
  ],
  ['CONNECT', ({ host }) => [request('CONNECT evil.test:443 HTTP/1.1', [host]), 'hello']],
  [
    'a method and a star',
    ({ chance, host }) => [request(`${chance.pick(['OPTIONS', 'GET', 'POST'])} * HTTP/1.1`, [host])],
  ],
  [
    'another site as target',
    ({ chance, path, host }) => [
      request(
        `GET ${chance.pick(['http://evil.test', 'https://localhost', 'file://', '//evil.test'])}${path} HTTP/1.1`,
        [host],
      ),
    ],
  ],
  [
    'an expectation',
    ({ chance, path, host }) => [
      request(`POST ${path} HTTP/1.1`, [
        host,
        ...json(2),
        `Expect: ${chance.pick(['100-continue', '100-continue, x', 'x'])}`,
      ]),
      '{',
      '}',
    ],
  ],
  ['byte by byte', ({ path, host }) => [...request(`GET ${path} HTTP/1.1`, [host])]],
  ['a socket', ({ chance, host, path }) => [upgrade(place(chance, path), host), ...frames(chance)]],
  ['a socket', ({ chance, host, path }) => [upgrade(place(chance, path), host), ...frames(chance)]],
  [
    'a socket at once',
    ({ chance, host, path }) => [
      Buffer.concat([Buffer.from(upgrade(place(chance, path), host)), ...frames(chance)]),
    ],
  ],
  [
    'a broken upgrade',
    ({ chance, host, path }) => [
      upgrade(
        place(chance, path),
        host,
        chance.pick<readonly string[]>([
          [],
          ['Sec-WebSocket-Key: short', 'Sec-WebSocket-Version: 13'],
          [key, 'Sec-WebSocket-Version: 12'],
          [key],
          [key, key, 'Sec-WebSocket-Version: 13'],
          [key, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: ,,'],
          [
            key,
            'Sec-WebSocket-Version: 13',
            'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=999',
          ],
          [key, 'Sec-WebSocket-Version: 13', 'Upgrade: h2c'],
          [key, 'Sec-WebSocket-Version: 13', 'Content-Length: 5'],
        ]),
      ),
      ...frames(chance),
    ],
  ],
  [
    'a posted upgrade',
    ({ host, path }) => [upgrade(path, host, [key, 'Sec-WebSocket-Version: 13']).replace('GET', 'POST')],
  ],
]

const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const upgrade = (
  path: string,
  host: string,
  headers: readonly string[] = [key, 'Sec-WebSocket-Version: 13'],
): string => request(`GET ${path} HTTP/1.1`, [host, 'Connection: Upgrade', 'Upgrade: websocket', ...headers])

const place = (chance: Chance, path: string): string => {
  const id = /^\/api\/persona\/([^/?]+)/.exec(path)?.[1] ?? 'system'
  return `/ws/${id}${chance.pick(['', '', '?after=0', '?after=99999999', '?after=-1', '?after=x'])}`
}

/** Client frames: valid ones, unmasked ones, wrong lengths, reserved codes, fragmented control frames. */
const frames = (chance: Chance): readonly Buffer[] =>
  Array.from({ length: chance.pickBetween(0, 6) }, () => frame(chance))

const frame = (chance: Chance): Buffer => {
  if (chance.next() < 0.15) return noise(chance, 60)
  const payload = chance.next() < 0.5 ? Buffer.from('{"type":"chat_message"}') : noise(chance, 120)
  const first = chance.pick([0x81, 0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8a, 0x09, 0x83, 0xf1])
  if (chance.next() < 0.1)
    return Buffer.concat([
      Buffer.from([first, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      payload,
    ])
  if (chance.next() < 0.1) return Buffer.concat([Buffer.from([first, payload.length]), payload])
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}
