/**
 * Whether each line of a comment ends where the formatter ends code, which leaves comments as they are:
 * `node scripts/comments.mjs [root]`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from './files-in.mjs'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const mostColumns = 110
const folders = ['packages', 'journal', 'projections', 'src', 'web', 'test', 'bench', 'scripts']
const generated = 'web/shared/api-types.ts'

const comment = /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$)|<!--)/
/** What is meant for a tool has to stand on one line. */
const directive = /^\s*(?:\/\/|\/\*|<!--)\s*(?:biome|svelte|oxlint)-ignore/

const paths = filesIn(root, folders).filter(
  (path) => /\.(?:ts|mjs|js|svelte|css)$/.test(path) && path !== generated,
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
if (!paths.length) console.log('no file was seen')
process.exitCode = tooLong.length || !paths.length ? 1 : 0
