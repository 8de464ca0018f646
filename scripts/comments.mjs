/**
 * Checks that comment lines have at most 110 columns, because the formatter does not wrap comments: `node
 * scripts/comments.mjs [root]`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from './files-in.mjs'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const mostColumns = 110
const folders = [
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
]
const generatedFile = 'web/shared/api-types.ts'

const comment = /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$)|<!--)/
/** Directives for a tool must be on one line. */
const directive = /^\s*(?:\/\/|\/\*|<!--)\s*(?:biome|svelte|oxlint)-ignore/

const paths = filesIn(root, folders).filter(
  (path) => /\.(?:ts|mjs|js|svelte|css)$/.test(path) && path !== generatedFile,
)

const tooLong = paths.flatMap((path) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, n) =>
      [...line].length > mostColumns && comment.test(line) && !directive.test(line)
        ? [`${path}:${n + 1}`]
        : [],
    ),
)
for (const place of tooLong) console.log(`${place} is a comment of more than ${mostColumns} columns`)
if (!paths.length) console.log('no files found')
process.exitCode = tooLong.length || !paths.length ? 1 : 0
