/** Extraction of a page's article, in its encoding, with its links. */
import type { RequestListener } from 'node:http'
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { decodePage } from '../../packages/documents/text-encoding.ts'
import { readArticle } from '../../packages/web-reading/read-article.ts'
import { article, openSite, tryToRead } from './site.ts'

const url = 'https://a.example/dir/page'

test('extracts the article without the surrounding elements', () => {
  const { title, text } = readArticle(article(), url)
  is(title, 'The title')
  ok(text.includes('A sentence of the article') && !text.includes('imprint') && !text.includes('menu'))
  ok(text.endsWith('- one\n- two'), text.slice(-40))
})

test('lists the links of the page, once each, fifty at most', () => {
  equal(readArticle(article(), url).links, [{ text: 'more of it', url: 'https://a.example/more?a=1&b=2' }])
  const manyWords = Array.from(
    { length: 80 },
    (_, n) => `<p>Words and words, of a page. <a href="p${n}#x">p ${n}</a></p>`,
  )
  const { links } = readArticle(`<base href="/base/"><body>${manyWords.join('')}</body>`, url)
  is(links.length, 50)
  is(links[0]?.url, 'https://a.example/base/p0')
})

test('links that run code or lead to files are left out', () => {
  const { links } = readArticle(
    '<body><p><a href="javascript:alert(1)">run</a> <a href="file:///etc">a file</a> <a href="mailto:a@b.example">mail</a></p></body>',
    url,
  )
  equal(links, [])
})

test('a short page gives all its words', () => {
  const page =
    '<title>T</title><body><script>no()</script><div>one</div>two<br>three<pre>a\n  b</pre><table><tr><td>x</td><td>y</td></tr></table></body>'
  is(readArticle(page, url).text, 'one\n\ntwo\nthree\n\na\n  b\n\nx | y')
})

test('a page in which no article is looked for gives all its words', () => {
  const deep = `<title>T</title>${'<div>'.repeat(300)}all of it<script>no()</script>`
  equal(readArticle(deep, url), { title: 'T', text: 'all of it', links: [] })
})

test('an empty page has no text', () => is(readArticle('', url).text, ''))

const bytes = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding)
const letters: readonly (readonly [string, Buffer, string, string])[] = [
  ['by its header', bytes('\xe9t\xe9'), 'text/html; charset=iso-8859-1', 'été'],
  ['by its header in quotes', bytes('\x82\xa0'), 'text/html; charset="Shift_JIS"', 'あ'],
  [
    'by its meta element',
    bytes('<meta charset=windows-1251>\xe4\xe0'),
    'text/html',
    '<meta charset=windows-1251>да',
  ],
  [
    'by an older meta element',
    bytes('<meta http-equiv=x content="text/html; charset=koi8-r">\xc4'),
    'text/html',
    '<meta http-equiv=x content="text/html; charset=koi8-r">д',
  ],
  [
    'by its XML declaration',
    bytes('<?xml version="1.0" encoding="iso-8859-2"?>\xb9'),
    '',
    '<?xml version="1.0" encoding="iso-8859-2"?>š',
  ],
  [
    'by its byte order mark, regardless of the header',
    bytes('\ufeffä', 'utf16le'),
    'text/html; charset=iso-8859-1',
    'ä',
  ],
  ['as UTF-8 by default', bytes('ä', 'utf8'), 'text/html', 'ä'],
  ['as Windows-1252 if it is not UTF-8', bytes('\x93\xe4\x94'), 'text/html', '“ä”'],
  ['as UTF-8 where the name is none', bytes('ä', 'utf8'), 'text/html; charset=nonsense', 'ä'],
  [
    'as UTF-8 where it claims two bytes a letter',
    bytes('<meta charset=utf-16>ä', 'utf8'),
    '',
    '<meta charset=utf-16>ä',
  ],
]
for (const [how, given, type, expected] of letters)
  test(`decodes text ${how}`, async () => is((await decodePage(given, type)).text, expected))

test('plain text, Markdown and JSON are read as they are, a PDF by the reader of documents', async () => {
  const serve: RequestListener = (request, response) =>
    response.setHeader('content-type', request.url?.slice(1) ?? '').end('{"a": 1}')
  const paths: string[] = []
  const documents = {
    read: async (path: string) => {
      paths.push(path)
      return { kind: 'text', format: 'pdf', text: '[page 1]\nwords', cut: false } as const
    },
  }
  const site = await openSite(serve, { documents })
  try {
    for (const type of ['text/plain', 'text/markdown', 'application/json', 'application/ld+json'])
      is(await tryToRead(site, site.url('a.example', `/${type}`)), '{"a": 1}')
    is(await tryToRead(site, site.url('a.example', '/application/pdf')), '[page 1]\nwords')
    is(paths.length, 1)
  } finally {
    await site.close()
  }
})

test.run()
