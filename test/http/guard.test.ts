/** The requests that the guard accepts and refuses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGuard } from '../../src/http/server/guard.ts'

const guard = createGuard(['box.lan'])

type Headers = readonly (readonly [string, string])[]

const runGuard = (headers: Headers, { method = 'POST', url = '/api/personas' } = {}) =>
  guard({ method, url, rawHeaders: headers.flat() })
const assertPasses = (headers: Headers, target = {}) =>
  assert.is(runGuard(headers, target), null, JSON.stringify(headers))
const assertRefused = (headers: Headers, target = {}) =>
  assert.type(runGuard(headers, target), 'string', JSON.stringify(headers))

const host = ['Host', '127.0.0.1:5370'] as const
const navigation = [
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
] as const

test('accepts the loopback names with any port and in any case', () => {
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
    assertPasses([['Host', name]])
    assertPasses([['hOsT', name]])
  }
})

test('refuses other spellings of this machine', () => {
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
    assertRefused([['Host', name]])
})

test('refuses a request without a Host', () => {
  assertRefused([])
  assertRefused([['Accept', '*/*']])
})

test('accepts an allowed name with any port', () => {
  assertPasses([['Host', 'box.lan']])
  assertPasses([['Host', 'BOX.lan:8080']])
  assertRefused([['Host', 'a.box.lan']])
  assert.type(createGuard([])({ method: 'GET', url: '/', rawHeaders: ['Host', 'box.lan'] }), 'string')
})

test('refuses a repeated header that it checks', () => {
  assertRefused([host, host])
  assertRefused([host, ['host', 'evil.example']])
  assertRefused([host, ['Origin', 'http://127.0.0.1:5370'], ['origin', 'http://127.0.0.1:5370']])
  assertRefused([host, ['Sec-Fetch-Site', 'none'], ['Sec-Fetch-Site', 'cross-site']])
})

test('refuses a target that names another host', () => {
  assertPasses([host], { method: 'GET', url: 'http://127.0.0.1:5370/api/personas' })
  for (const url of [
    'http://evil.example/api/personas',
    'https://127.0.0.1:5370/',
    'http://127.0.0.1:53700/',
    'http://x@127.0.0.1:5370/',
  ])
    assertRefused([host], { method: 'GET', url })
})

test('accepts the own page and the address bar by Sec-Fetch-Site', () => {
  for (const site of ['same-origin', 'none']) assertPasses([host, ['Sec-Fetch-Site', site]])
  for (const site of ['cross-site', 'same-site', '', 'SAME-ORIGIN', 'other'])
    assertRefused([host, ['Sec-Fetch-Site', site]])
})

test('prefers Sec-Fetch-Site to Origin', () => {
  assertPasses([host, ['Sec-Fetch-Site', 'same-origin'], ['Origin', 'null']])
  assertRefused([host, ['Sec-Fetch-Site', 'cross-site'], ['Origin', 'http://127.0.0.1:5370']])
})

test('accepts a link from another site to a page, never to the API', () => {
  for (const url of ['/', '/persona/1/talk', '/docs', '/apiary', '/?next=/api/personas'])
    assertPasses([host, ...navigation], { method: 'GET', url })
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
    assertRefused([host, ...navigation], { method: 'GET', url })
  assertRefused([host, ...navigation], { method: 'POST', url: '/' })
})

test('refuses frames, pictures and scripts of another site', () => {
  const headersFor = (mode: string, dest: string): Headers => [
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
    assertRefused(headersFor(mode, dest), { method: 'GET', url: '/' })
})

test('without Sec-Fetch-Site requires the requested host as Origin', () => {
  assertPasses([host, ['Origin', 'http://127.0.0.1:5370']])
  assertPasses([
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
    assertRefused([host, ['Origin', origin]])
})

test('accepts a program that is not a browser', () => {
  assertPasses([host])
  assertPasses([host, ['User-Agent', 'curl/8'], ['Content-Type', 'text/plain']])
  assertPasses([host, ['Sec-Fetch-Mode', 'cors']])
})

test.run()
