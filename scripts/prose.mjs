/**
 * Checks that comments, test names, texts in code and Markdown are plain English (docs/how-to/extend.md, "The
 * language of the code"):
 *
 *   node scripts/prose.mjs                  one line per room with its share of flagged sentences
 *   node scripts/prose.mjs --list <path…>   every flagged sentence of these files or folders
 *   node scripts/prose.mjs --commits 100    the same for the subjects of the last 100 commits
 *
 * Exits with 1 when a room is above its limit in `scripts/prose-limits.json` (percent; default 2), or when
 * code declares a name that does not describe its value (`scripts/prose-names.mjs`).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { lexer, walkTokens } from 'marked'
import { toString as textOf } from 'nlcst-to-string'
import { ParseEnglish } from 'parse-english'
import ts from 'typescript'
import { filesIn } from './files-in.mjs'
import { findLoneNames } from './prose-names.mjs'
import { findDialect } from './prose-rules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const roots = [
  'packages',
  'journal',
  'facts',
  'home',
  'projections',
  'src',
  'web',
  'test',
  'bench',
  'scripts',
  'docs',
  '.ci',
]
const ignoredPaths =
  /node_modules|^web\/strings\/de|^web\/shared\/api-types|^scripts\/prose|\/golden\/|^test\/.*\/files\/|^docs\/reference\/(http|facts|metrics)\.md$/
const english = new ParseEnglish()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false }, commits: { type: 'string' } },
})

const main = () => {
  if (values.commits) return report(checkCommits(values.commits), values.list)
  const paths = ['README.md', ...filesIn(root, roots)].filter(
    (path) =>
      /\.(ts|mjs|svelte|css|md)$/.test(path) &&
      !ignoredPaths.test(path) &&
      (!positionals.length || positionals.some((prefix) => path.startsWith(prefix.replace(/^\.\//, '')))),
  )
  report(
    paths.map((path) => ({ path, room: getRoom(path), sentences: getSentences(path) })),
    values.list,
  )
  reportLoneNames(paths.filter((path) => /\.(ts|mjs|svelte)$/.test(path)))
}

const reportLoneNames = (paths) => {
  for (const path of paths)
    for (const { name, line } of findLoneNames(path, readFileSync(join(root, path), 'utf8'))) {
      process.exitCode = 1
      console.log(`${path}:${line}: "${name}" does not say what the value is: use a noun, or a verb`)
    }
}

/** `src/http/routes/x.ts` belongs to the room `src/http`, `web/talk/y.ts` to `web`. */
const getRoom = (path) => {
  const [top, next, ...rest] = path.split('/')
  return rest.length && (top === 'src' || top === 'packages') ? `${top}/${next}` : top
}

const report = (files, isListed) => {
  const limits = JSON.parse(readFileSync(join(root, 'scripts/prose-limits.json'), 'utf8'))
  const rooms = new Map()
  for (const { path, room, sentences } of files) {
    const sum = rooms.get(room) ?? { all: 0, flagged: 0 }
    rooms.set(room, sum)
    for (const { line, text } of sentences) {
      const matchedWords = findDialect(text)
      sum.all++
      if (!matchedWords) continue
      sum.flagged++
      if (isListed) console.log(`${path}:${line}: [${matchedWords}] ${text}`)
    }
  }
  for (const [room, { all, flagged }] of rooms) {
    const percent = all ? (flagged / all) * 100 : 0
    const limit = limits[room] ?? 2
    const isOver = percent > limit
    if (isOver) process.exitCode = 1
    console.log(
      `${isOver ? 'OVER' : 'ok  '} ${percent.toFixed(1).padStart(5)} % of ${String(all).padStart(5)} sentences (limit ${limit} %)  ${room}`,
    )
  }
}

const checkCommits = (count) => {
  const subjects = execFileSync('git', ['log', '--no-merges', `-${count}`, '--format=%s'], {
    cwd: root,
    encoding: 'utf8',
  })
  const sentences = subjects
    .trim()
    .split('\n')
    .map((text, n) => ({ line: n + 1, text }))
  return [{ path: 'commit', room: 'commits', sentences }]
}

const getSentences = (path) => {
  const source = readFileSync(join(root, path), 'utf8')
  const blocks = path.endsWith('.md')
    ? markdownBlocks(source)
    : path.endsWith('.svelte') || path.endsWith('.css')
      ? markupBlocks(source)
      : codeBlocks(path, source)
  return blocks.flatMap(({ line, text }) =>
    splitSentences(text).map((sentence) => ({ line, text: sentence })),
  )
}

const splitSentences = (text) => {
  const sentences = []
  const visit = (node) => {
    if (node.type === 'SentenceNode') sentences.push(textOf(node).replace(/\s+/g, ' ').trim())
    else for (const child of node.children ?? []) visit(child)
  }
  visit(english.parse(text))
  return sentences.filter((sentence) => /[a-z]{2}.* .*[a-z]{2}/i.test(sentence))
}

const markdownBlocks = (source) => {
  const blocks = []
  void walkTokens(lexer(source), (token) => {
    if (token.type === 'paragraph' || token.type === 'heading') add(token.text)
    if (token.type === 'text' && token.tokens) add(token.text)
    if (token.type === 'table') for (const cell of [...token.header, ...token.rows.flat()]) add(cell.text)
  })
  function add(text) {
    const position = source.indexOf(text.split('\n')[0])
    const line = source.slice(0, Math.max(0, position)).split('\n').length
    blocks.push({ line, text: withoutMarkup(text) })
  }
  return blocks
}

const withoutMarkup = (text) =>
  text
    .replace(/`[^`]*`/g, 'x')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')

/** HTML, CSS and `//` comments of a component or style sheet. */
const markupBlocks = (source) =>
  [...source.matchAll(/<!--([\s\S]*?)-->|\/\*([\s\S]*?)\*\/|(?<=^\s*)\/\/(.*)$/gm)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    text: cleanComment(match[1] ?? match[2] ?? match[3]),
  }))

/** Comments, test names and texts of at least four words. */
const codeBlocks = (path, source) => {
  const blocks = []
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  const getLine = (position) => file.getLineAndCharacterOfPosition(position).line + 1
  const seenPositions = new Set()
  const addComments = (ranges = []) => {
    for (const { pos, end, kind } of ranges) {
      if (seenPositions.has(pos)) continue
      seenPositions.add(pos)
      const last = blocks.at(-1)
      const text = cleanComment(
        source.slice(pos + 2, kind === ts.SyntaxKind.MultiLineCommentTrivia ? end - 2 : end),
      )
      // Single-line comments on consecutive lines are one text.
      if (last?.endLine === getLine(pos) - 1 && kind === ts.SyntaxKind.SingleLineCommentTrivia) {
        last.text += ` ${text}`
        last.endLine = getLine(end)
      } else
        blocks.push({
          line: getLine(pos),
          text,
          endLine: kind === ts.SyntaxKind.SingleLineCommentTrivia ? getLine(end) : undefined,
        })
    }
  }
  const visit = (node) => {
    addComments(ts.getLeadingCommentRanges(source, node.getFullStart()))
    addComments(ts.getTrailingCommentRanges(source, node.getEnd()))
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map((span) => `x${span.literal.text}`).join('')
        : ''
    if (/^[^\\^$<>{}=]*$/.test(text) && /(?:[\p{L}',]+ ){3}[\p{L}']+/u.test(text) && !isForeign(text))
      blocks.push({ line: getLine(node.getStart()), text })
    ts.forEachChild(node, visit)
    for (const child of node.getChildren())
      if (!child.getChildCount()) addComments(ts.getLeadingCommentRanges(source, child.getFullStart()))
  }
  visit(file)
  return blocks
}

const cleanComment = (text) =>
  text
    .replace(/^\*+/, '')
    .replace(/\n\s*\*? ?/g, '\n')
    .replace(/`[^`]*`/g, 'x')
    .replace(/^\s*(biome-ignore|svelte-ignore|oxlint).*$/gm, '')

const isForeign = (text) =>
  /[äöüßéèêçñãõ\u0400-\uffff]|\b(der|die|das|und|nicht|ist|ich|que|les|una)\b/i.test(text)

main()
