/** GET /api/persona/{persona_id}/media/{filename} */
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { raw } from '../http/try.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const wav = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
  Buffer.alloc(24),
  Buffer.from('data'),
])
const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 0x18]),
  Buffer.from('ftypisom\0\0\0\0isomiso2'),
  Buffer.alloc(8),
])

/** Creates a persona with these files in its media folder. The file `outside` is next to the folder. */
const withFiles = async (files: Readonly<Record<string, string | Buffer>>) => {
  const id = await setup.born()
  const home = join(setup.daemon.home, 'personas', id)
  const folder = join(home, 'media')
  await mkdir(join(folder, 'sub'), { recursive: true })
  await writeFile(join(home, 'outside'), 'the secret of the machine')
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const get = (name: string, headers = {}, method = 'GET') =>
    setup.send({ method, path: `/api/persona/${id}/media/${name}`, headers })
  return { id, folder, get }
}

test('detects the type of a file from its bytes, never from its name', async () => {
  const { get } = await withFiles({
    'a.png': png,
    'png.html': png,
    'sound.wav': wav,
    'film.mp4': mp4,
    'page.png': '<!doctype html><script>alert(1)</script>',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'feed.xml': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    'text.txt': 'words',
    'empty.png': '',
    'paper.pdf': '%PDF-1.4\n1 0 obj',
  })
  const getType = async (name: string) => {
    const { status, headers } = await get(name)
    assert.is(status, 200, name)
    return [headers['content-type'], headers['content-disposition']]
  }
  assert.equal(await getType('a.png'), ['image/png', undefined])
  assert.equal(await getType('png.html'), ['image/png', undefined])
  assert.equal(await getType('film.mp4'), ['video/mp4', undefined])
  assert.match(String((await getType('sound.wav'))[0]), /^audio\//)
  assert.is((await getType('sound.wav'))[1], undefined)
  for (const name of ['page.png', 'drawing.svg', 'feed.xml', 'text.txt', 'empty.png', 'paper.pdf']) {
    const [type, disposition] = await getType(name)
    assert.equal(disposition, `attachment; filename="${name}"`.replaceAll('"', ''), name)
    assert.not.match(String(type), /html|svg|javascript/)
  }
})

test('serves files so that none runs as a page of the daemon', async () => {
  const { get } = await withFiles({ 'page.html': '<script>alert(1)</script>', 'a.png': png })
  for (const name of ['page.html', 'a.png']) {
    const { headers } = await get(name)
    assert.is(headers['content-security-policy'], "sandbox; default-src 'none'")
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['cross-origin-resource-policy'], 'same-origin')
  }
})

test('serves all bytes, under names of any characters', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256))
  const { id } = await withFiles({ 'ein Bild ä 100% #1.bin': bytes, '日本.txt': 'x' })
  const response = await fetch(
    `${setup.daemon.url}/api/persona/${id}/media/${encodeURIComponent('ein Bild ä 100% #1.bin')}`,
  )
  assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())))
  assert.match(
    String(response.headers.get('content-disposition')),
    /^attachment; filename=".*"; filename\*=UTF-8''/,
  )
  assert.is(
    (await fetch(`${setup.daemon.url}/api/persona/${id}/media/${encodeURIComponent('日本.txt')}`)).status,
    200,
  )
})

test('returns 304 until the file changes', async () => {
  const { get, folder } = await withFiles({ 'a.png': png })
  const { headers } = await get('a.png')
  const etag = String(headers.etag)
  assert.match(etag, /^(W\/)?"[^"]+"$/)
  for (const tag of [etag, `"x", ${etag}`, '*']) {
    const reply = await get('a.png', { 'If-None-Match': tag })
    assert.equal([reply.status, reply.text], [304, ''], tag)
  }
  assert.is((await get('a.png', { 'If-None-Match': '"other"' })).status, 200)
  await writeFile(join(folder, 'a.png'), Buffer.concat([png, Buffer.from('more')]))
  assert.is((await get('a.png', { 'If-None-Match': etag })).status, 200)
})

test('serves byte ranges', async () => {
  const { get } = await withFiles({ 'abc.txt': 'abcdefghij' })
  const part = async (range: string) => {
    const { status, headers, text } = await get('abc.txt', { Range: range })
    return [status, headers['content-range'], text]
  }
  assert.equal(await part('bytes=0-0'), [206, 'bytes 0-0/10', 'a'])
  assert.equal(await part('bytes=2-4'), [206, 'bytes 2-4/10', 'cde'])
  assert.equal(await part('bytes=7-'), [206, 'bytes 7-9/10', 'hij'])
  assert.equal(await part('bytes=-3'), [206, 'bytes 7-9/10', 'hij'])
  assert.equal(await part('bytes=5-500'), [206, 'bytes 5-9/10', 'fghij'])
  assert.equal(await part('bytes=10-'), [416, 'bytes */10', '{"detail":"Range Not Satisfiable"}'])
  assert.is((await part('lines=1-2'))[0], 200)
  assert.is((await get('abc.txt')).headers['accept-ranges'], 'bytes')
  assert.is((await get('abc.txt', { Range: 'bytes=0-1', 'If-Range': '"other"' })).status, 200)
})

test('returns the same headers for HEAD without the bytes', async () => {
  const { get } = await withFiles({ 'a.png': png })
  const getReply = await get('a.png')
  const head = await get('a.png', {}, 'HEAD')
  assert.equal([head.status, head.text, head.headers['content-length']], [200, '', String(png.length)])
  for (const name of ['content-type', 'etag', 'last-modified', 'content-security-policy'])
    assert.is(head.headers[name], getReply.headers[name], name)
  assert.is((await get('none.png', {}, 'HEAD')).status, 404)
})

test('finds only plain files in the media folder of the persona', async () => {
  const { get, folder, id } = await withFiles({ 'a.png': png, '.hidden': 'x', 'sub/inner.png': png })
  await symlink(join(folder, '..', 'outside'), join(folder, 'link'))
  await symlink('/etc/passwd', join(folder, 'passwd.png'))
  await symlink(join(folder, 'sub'), join(folder, 'linked-folder'))
  await symlink(join(folder, 'loop'), join(folder, 'loop'))
  await symlink(join(folder, 'nowhere'), join(folder, 'broken'))
  const otherPicture = await withFiles({ 'hers.png': png })
  const names = [
    ...[
      'none.png',
      'sub',
      '.hidden',
      '.',
      '..',
      '%2e',
      '%2e%2e',
      'link',
      'passwd.png',
      'linked-folder',
      'loop',
      'broken',
      'A.PNG',
    ],
    ...[
      '..%2foutside',
      '%2e%2e%2foutside',
      '..%5coutside',
      'sub%2finner.png',
      'sub/inner.png',
      '%2fetc%2fpasswd',
      '%252e%252e%252foutside',
    ],
    ...[
      'a.png%00',
      '%00',
      'a.png%00.txt',
      'a.png/',
      'a.png%2f',
      './a.png',
      'sub/../a.png',
      `..%2f..%2f${otherPicture.id}%2fmedia%2fhers.png`,
    ],
    ...['x'.repeat(300), '%ff%fe', '%E0%A4%A', 'a.png::$DATA', '~', 'C:a.png'],
  ]
  for (const name of names) {
    const { status, text } = await get(name)
    assert.is(status, 404, name)
    assert.ok(['{"detail":"File not found."}', '{"detail":"Not Found"}'].includes(text), `${name} ${text}`)
  }
  const answer = await raw(
    setup.daemon.port,
    `GET /api/persona/${id}/media/../outside HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 404 /)
})

test('follows a symbolic link within the folder', async () => {
  const { get, folder } = await withFiles({ 'a.png': png })
  await symlink('a.png', join(folder, 'b.png'))
  assert.is((await get('b.png')).status, 200)
})

test('returns 404 for a persona without a media folder', async () => {
  const personaPath = await setup.home()
  assert.equal(await setup.get(`${personaPath}/media/a.png`), [404, { detail: 'File not found.' }])
})

test('serves files of a stopped persona and returns 404 for a missing one', async () => {
  const { get, id } = await withFiles({ 'a.png': png })
  await setup.post(`/api/persona/${id}/stop`)
  assert.is((await get('a.png')).status, 200)
  assert.equal(await setup.get('/api/persona/nobody/media/a.png'), [404, { detail: 'Persona not found.' }])
  assert.equal(await setup.get('/api/persona/%2e%2e/media/a.png'), [404, { detail: 'Persona not found.' }])
})

test('streams a large file and tolerates a client that disconnects', async () => {
  const { get, folder, id } = await withFiles({ 'large.bin': 'x' })
  await truncate(join(folder, 'large.bin'), 200 * 1024 * 1024)
  const controller = new AbortController()
  const { body } = await fetch(`${setup.daemon.url}/api/persona/${id}/media/large.bin`, {
    signal: controller.signal,
  })
  await body?.getReader().read()
  controller.abort()
  assert.is((await get('large.bin', { Range: 'bytes=209715199-' })).status, 206)
  assert.is((await setup.get('/api/health'))[0], 200)
})

test.run()
