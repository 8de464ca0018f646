/** The links and blocks of the docs are valid, and generated pages are up to date. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { factsByType } from '../journal/facts.ts'
import { listBlocks, pages, readPage, root } from './blocks.ts'
import { askDescription, type Description, madePages } from './made-pages.ts'

const linkedPages = [...pages(), 'journal/README.md', 'test/README.md', 'bench/README.md']

/** Returns the text without code blocks, which contain no links. */
const getProse = (page: string): string => readPage(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '')

/** Returns the anchors that GitHub generates. */
const getAnchors = (page: string): ReadonlySet<string> => {
  const countsByAnchor = new Map<string, number>()
  const anchors = [...getProse(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => {
    const titleText = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = titleText.replace(/[^\p{Letter}\p{Number}\s_-]/gu, '').replaceAll(' ', '-')
    const countBefore = countsByAnchor.get(anchor) ?? 0
    countsByAnchor.set(anchor, countBefore + 1)
    return countBefore === 0 ? anchor : `${anchor}-${countBefore}`
  })
  return new Set(anchors)
}

/** Returns the links of a page within the project, as paths from its root. */
const getLinks = (page: string, text = getProse(page)): readonly { path: string; anchor: string }[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor }
    })

// Fails if a page is renamed or a heading is reworded.
test('every link leads to an existing page and heading', () => {
  for (const page of linkedPages)
    for (const { path, anchor } of getLinks(page)) {
      ok(existsSync(`${root}${path}`), `${page}: ${path}`)
      if (anchor !== '' && path.endsWith('.md'))
        ok(getAnchors(path).has(anchor), `${page}: ${path} has no heading ${anchor}`)
    }
})

test('the map names every page, and so does the list for programs', () => {
  const linkedPaths = new Set(getLinks('docs/README.md').map(({ path }) => path))
  for (const page of pages().filter(
    (pagePath) => pagePath.startsWith('docs/') && pagePath !== 'docs/README.md',
  ))
    ok(linkedPaths.has(page), `${page} is not on the map`)
  const list = readFileSync(`${root}llms.txt`, 'utf8')
  match(list, /^# Daimon\n\n> .+\n/)
  for (const { path } of getLinks('llms.txt', list)) {
    ok(statSync(`${root}${path}`).isFile(), `llms.txt: ${path}`)
    linkedPaths.delete(path)
  }
  equal(
    [...linkedPaths].filter((path) => path.endsWith('.md')),
    [],
  )
})

const languages = ['sh', 'text', 'http', 'json', 'yaml', 'conf', 'js', 'ts', 'lua']

/** Number of blocks for each reason. */
const marked = {
  'not run: a real account': 1,
  'not run: a real bot': 3,
  'not run: goes on for ever': 1,
  'not run: installs packages': 3,
  'not run: needs Claude Code': 1,
  'not run: needs Docker': 1,
  'not run: needs a calendar': 1,
  'not run: needs a mailbox': 1,
  'not run: needs a card': 1,
  'not run: needs a key': 9,
  'not run: needs a picture': 1,
  'not run: needs a model': 9,
  'not run: needs a second machine': 4,
  'not run: needs a collector': 1,
  'not run: needs a server': 1,
  'not run: needs damage': 1,
  'not run: needs the other one': 4,
  'not run: needs the 24 words of a persona of yours': 1,
  'not run: sets up the command': 1,
  'not run: starts a daemon': 4,
  'not run: systemd': 2,
  'not run: the tests themselves': 1,
  'not run: waits for Ctrl-C': 1,
  'not run: with the daemon stopped, by the tests of upgrades': 1,
  'with the daemon stopped': 1,
}

test('every block has a language, and each command that is not run has a reason', () => {
  const marks = new Map<string, number>()
  for (const page of pages())
    for (const { line, language, mark } of listBlocks(page)) {
      ok(languages.includes(language), `${page}:${line} is a block of ${language || 'nothing'}`)
      if (mark === null) continue
      match(mark, /^(not run: \S|with the daemon stopped$)/, `${page}:${line}`)
      is(language, 'sh', `${page}:${line}`)
      marks.set(mark, (marks.get(mark) ?? 0) + 1)
    }
  // Review each change of these numbers: every block that can be run should be run.
  equal(Object.fromEntries([...marks].sort()), marked)
})

test('every route that a page names is served', async () => {
  const description = await descriptionOnce()
  const getShape = (path: string) => path.replace(/\{[^}]*\}|(?<=\/)[^/]*…[^/]*/g, '{}')
  const servedPaths = new Set(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${getShape(path)}`),
    ),
  )
  for (const page of pages())
    for (const { language, line, text } of listBlocks(page)) {
      if (language !== 'http') continue
      for (const [, method, path = ''] of text.matchAll(/^(GET|POST|PUT|PATCH|DELETE) +([^\s?[]+)/gm))
        ok(
          servedPaths.has(`${method} ${getShape(path.replace(/^…/, '/api/persona/{}'))}`),
          `${page}:${line}: ${method} ${path}`,
        )
    }
})

// Fails if the sentence of a route is changed.
test('generated pages are up to date: node --import tsx test/docs/made-pages.ts', async () => {
  const generatedPages = await madePages(await descriptionOnce())
  for (const [page, text] of Object.entries(generatedPages))
    ok(readPage(page) === text, `${page} is out of date`)
  for (const type of Object.keys(factsByType))
    ok(generatedPages['docs/reference/facts.md']?.includes(`### ${type}\n`), type)
})

// Fails if a quoted test is renamed.
test('every test and mutant that the reliability page quotes exists', () => {
  const toPlainText = (text: string) => text.replaceAll('`', '').replaceAll("\\'", "'")
  const files = ['test', 'packages'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.ts$|twins\.json$/.test(name))
      .map((name) => toPlainText(readFileSync(`${root}${folder}/${name}`, 'utf8'))),
  )
  const rows = readPage('docs/explanation/reliability.md').match(/^\| \d+ \|.*$/gm) ?? []
  const quotes = rows.flatMap((row) => [...row.matchAll(/(?<![*\w])\*([^*|]{6,})\*(?![*\w])/g)])
  ok(quotes.length > 50, `${quotes.length} quotes`)
  for (const [, quote = ''] of quotes)
    for (const piece of toPlainText(quote).split('…'))
      ok(
        files.some((text) => text.includes(piece.trim())),
        `no test is called “${quote}”`,
      )
})

let descriptionPromise: Promise<Description> | undefined
const descriptionOnce = () => (descriptionPromise ??= askDescription())

test.run()
