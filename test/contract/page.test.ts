/** GET / and every address that is not a route: the page. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tempHome } from '../daemon.ts'
import { withSetup } from '../http/stand-in.ts'
import { ask } from '../http/try.ts'
import { shareSetup } from './setup.ts'

const html = '<!doctype html>page'
const pages = await tempHome()
await mkdir(join(pages, 'assets', 'sub'), { recursive: true })
await writeFile(join(pages, 'index.html'), html)
await writeFile(join(pages, 'assets', 'a.js'), 'let a')
await writeFile(join(pages, 'assets', 'b.css'), 'a{}')
await writeFile(join(pages, 'assets', '.secret'), 'x')
await writeFile(join(pages, '.env'), 'x')

const setup = shareSetup(test, { pages })
test.after(() => rm(pages, { recursive: true }))
const get = (path: string, headers = {}) => setup.send({ path, headers })

test('serves the page at the root and at every other address', async () => {
  const paths = [
    ...[
      '/',
      '/index.html',
      '/persona/1/talk',
      '/docs',
      '/redoc',
      '/docs/',
      '/apiary',
      '/v10',
      '/favicon.ico',
      '/.env',
      '/?q=1',
      '/a?b#c',
    ],
    ...[
      '/assetsx/a.js',
      '/API/personas',
      '//',
      '//api/personas',
      '/ws/system',
      '/%E0%A4%A',
      '/%',
      '/a/../../etc/passwd',
    ],
    ...[
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/etc/passwd%00',
      '/%00',
      `/${'x'.repeat(4000)}`,
      '/日本',
    ],
  ]
  for (const path of paths) {
    const { status, headers, text } = await get(encodeURI(path).replaceAll('%25', '%'))
    assert.equal([status, headers['content-type'], text], [200, 'text/html; charset=utf-8', html], path)
  }
})

test('serves no API explorer at /docs and /redoc', async () => {
  for (const path of ['/docs', '/redoc']) assert.not.match((await get(path)).text, /swagger|redoc|openapi/i)
})

test('serves a page that loads nothing from other sites, cannot be framed and is revalidated', async () => {
  const { headers } = await get('/')
  assert.is(
    headers['content-security-policy'],
    "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  assert.equal(
    [headers['x-frame-options'], headers['x-content-type-options'], headers['referrer-policy']],
    ['DENY', 'nosniff', 'no-referrer'],
  )
  assert.is(headers['cache-control'], 'no-cache')
  assert.is((await get('/', { 'If-None-Match': headers.etag })).status, 304)
})

test('returns the same headers for HEAD without the text', async () => {
  for (const path of ['/', '/docs', '/assets/a.js']) {
    const getReply = await get(path)
    const head = await setup.send({ method: 'HEAD', path })
    assert.equal(
      [head.status, head.text, head.headers['content-length']],
      [200, '', getReply.headers['content-length']],
    )
  }
})

test('serves the files of the page with their content types', async () => {
  assert.equal(((reply) => [reply.text, reply.headers['content-type']])(await get('/assets/a.js')), [
    'let a',
    'text/javascript; charset=utf-8',
  ])
  assert.equal(((reply) => [reply.text, reply.headers['content-type']])(await get('/assets/b.css')), [
    'a{}',
    'text/css; charset=utf-8',
  ])
})

test('returns 404 for a missing file under /assets/ only', async () => {
  for (const path of [
    '/assets/none.js',
    '/assets/',
    '/assets/sub',
    '/assets/sub/',
    '/assets/.secret',
    '/assets/%E0%A4%A',
    '/assets/%00',
  ]) {
    const { status, text } = await get(path)
    assert.equal([status, text], [404, '{"detail":"Not Found"}'], path)
  }
})

test('allows only GET and HEAD on the page', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
    for (const path of ['/', '/docs', '/assets/a.js', '/assets/none.js', '/persona/1']) {
      const { status, headers, text } = await setup.send({ method, path })
      assert.equal(
        [status, headers.allow, text],
        [405, 'GET, HEAD', '{"detail":"Method Not Allowed"}'],
        `${method} ${path}`,
      )
    }
})

test(
  'serves a notice when the page is not built',
  withSetup(
    async ({ send }) => {
      const { status, headers, text } = await send({ path: '/' })
      assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
      assert.match(text, 'not built')
    },
    { pages: '/nowhere/at/all' },
  ),
)

test('serves the built page', async () => {
  await withSetup(async ({ daemon }) => {
    const { status, text } = await ask(daemon.port, { path: '/persona/1/talk' })
    assert.is(status, 200)
    assert.match(text, /^<!doctype html>/i)
  })()
})

test.run()
