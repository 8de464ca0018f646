/** Who gets past the guard. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGuard } from '../../src/http/server/guard.ts'

const guard = createGuard(['box.lan'])

type Headers = readonly (readonly [string, string])[]

const asks = (headers: Headers, { method = 'POST', url = '/api/personas' } = {}) =>
  guard({ method, url, rawHeaders: headers.flat() })
const passes = (headers: Headers, target = {}) =>
  assert.is(asks(headers, target), null, JSON.stringify(headers))
const refused = (headers: Headers, target = {}) =>
  assert.type(asks(headers, target), 'string', JSON.stringify(headers))

const host = ['Host', '127.0.0.1:5370'] as const
const navigation = [
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
] as const

test('the loopback names pass with any port and in any case', () => {
  for (const name of [
    'localhost',
    'LOCALHOST',
    'LocalHost:5370',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:65535',
    'localhost:0',
  ]) {
    passes([['Host', name]])
    passes([['hOsT', name]])
  }
})

test('other spellings of this machine are refused', () => {
  for (const name of [
    ...[
      '',
      'localhost.',
      'a.localhost',
      '0.0.0.0',
      '127.1',
      '127.0.0.2',
      '2130706433',
      '0x7f.1',
      '::1',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::1%25lo]',
    ],
    ...[
      'evil.example',
      'localhost.evil.example',
      'localhost@evil.example',
      'user@localhost',
      'evil.example#localhost',
      'localhost/',
    ],
    ...[
      'localhost:',
      'localhost:65536',
      'localhost:123456',
      'localhost:-1',
      'localhost:80:80',
      'localhost:5370 ',
      'local host',
      'localhost,localhost',
    ],
  ])
    refused([['Host', name]])
})

test('a request without a Host is refused', () => {
  refused([])
  refused([['Accept', '*/*']])
})

test('a name passes that was allowed, under any port', () => {
  passes([['Host', 'box.lan']])
  passes([['Host', 'BOX.lan:8080']])
  refused([['Host', 'a.box.lan']])
  assert.type(createGuard([])({ method: 'GET', url: '/', rawHeaders: ['Host', 'box.lan'] }), 'string')
})

test('a header that decides is refused when it comes twice', () => {
  refused([host, host])
  refused([host, ['host', 'evil.example']])
  refused([host, ['Origin', 'http://127.0.0.1:5370'], ['origin', 'http://127.0.0.1:5370']])
  refused([host, ['Sec-Fetch-Site', 'none'], ['Sec-Fetch-Site', 'cross-site']])
})

test('a target that names another host is refused', () => {
  passes([host], { method: 'GET', url: 'http://127.0.0.1:5370/api/personas' })
  for (const url of [
    'http://evil.example/api/personas',
    'https://127.0.0.1:5370/',
    'http://127.0.0.1:53700/',
    'http://x@127.0.0.1:5370/',
  ])
    refused([host], { method: 'GET', url })
})

test('Sec-Fetch-Site lets the own page and the address bar pass', () => {
  for (const site of ['same-origin', 'none']) passes([host, ['Sec-Fetch-Site', site]])
  for (const site of ['cross-site', 'same-site', '', 'SAME-ORIGIN', 'other'])
    refused([host, ['Sec-Fetch-Site', site]])
})

test('Sec-Fetch-Site counts more than Origin', () => {
  passes([host, ['Sec-Fetch-Site', 'same-origin'], ['Origin', 'null']])
  refused([host, ['Sec-Fetch-Site', 'cross-site'], ['Origin', 'http://127.0.0.1:5370']])
})

test('a link from another site leads to a page, never to the API', () => {
  for (const url of ['/', '/persona/1/talk', '/docs', '/apiary', '/?next=/api/personas'])
    passes([host, ...navigation], { method: 'GET', url })
  for (const url of [
    '/api/personas',
    '/api',
    '/api?x',
    '/v1/models',
    '/metrics',
    '/metrics?x',
    '/v1',
    '//api/personas',
    '/API/personas',
  ])
    refused([host, ...navigation], { method: 'GET', url })
  refused([host, ...navigation], { method: 'POST', url: '/' })
})

test('a frame, a picture and a script of another site get nothing', () => {
  const of = (mode: string, dest: string): Headers => [
    host,
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', mode],
    ['Sec-Fetch-Dest', dest],
  ]
  for (const [mode, dest] of [
    ['navigate', 'iframe'],
    ['no-cors', 'image'],
    ['no-cors', 'script'],
    ['cors', 'empty'],
    ['websocket', 'empty'],
  ] as const)
    refused(of(mode, dest), { method: 'GET', url: '/' })
})

test('an Origin without Sec-Fetch-Site must be the host that was called', () => {
  passes([host, ['Origin', 'http://127.0.0.1:5370']])
  passes([
    ['Host', 'LOCALHOST:5370'],
    ['Origin', 'http://localhost:5370'],
  ])
  for (const origin of [
    'null',
    '',
    'http://127.0.0.1',
    'https://127.0.0.1:5370',
    'http://localhost:5370',
    'http://127.0.0.1:5370/',
    'http://evil.example',
  ])
    refused([host, ['Origin', origin]])
})

test('a program that is no browser passes', () => {
  passes([host])
  passes([host, ['User-Agent', 'curl/8'], ['Content-Type', 'text/plain']])
  passes([host, ['Sec-Fetch-Mode', 'cors']])
})

test.run()
