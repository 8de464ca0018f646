/**
 * Checks that the name of each file shares a word with one of its exports, so that a reader can guess the
 * file: `node scripts/file-names.mjs`. `telegram-gateway.ts` may export `openGateway`, `replies.ts` not
 * `sendJson`.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { filesIn } from './files-in.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['packages', 'journal', 'facts', 'home', 'projections', 'src', 'web']

/** Rows of a list, named after a subject, a provider or a language. They export the same names. */
const rows =
  /^(?:src\/http\/routes|src\/commands|web\/strings|packages\/models\/providers\/(?:anthropic|compatible|gemini|openai|xai)\.ts)/

/** Returns the words of a name without endings: `personas`, `persona` and `person` share a stem of a word. */
const getWords = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-.]/)
    .map((word) =>
      word
        .replace(/s$/, '')
        .replace(/(?:ie|y)$/, 'i')
        .replace(/(?:ing|ed|er|or|al|ation|ion|e|i)$/, ''),
    )
    .filter((word) => word.length > 1)

const sharesWord = (file, exportedName) => {
  const lowerName = exportedName.toLowerCase()
  return (
    getWords(file).some((word) => lowerName.includes(word)) || file.replaceAll('-', '').includes(lowerName)
  )
}

const getExports = (path) => {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((statement) => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      return statement.exportClause.elements.map(({ name }) => name.text)
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText())
    return statement.name ? [statement.name.text] : []
  })
}

const mismatches = filesIn(root, folders)
  .filter(
    (path) => /\.ts$/.test(path) && !/\.d\.ts$|\/test\/|\.test\.ts$|api-types/.test(path) && !rows.test(path),
  )
  .flatMap((path) => {
    const exportedNames = getExports(path)
    const name = basename(path, '.ts').replace(/\.svelte$/, '')
    const isGuessable =
      exportedNames.length === 0 || exportedNames.some((exportedName) => sharesWord(name, exportedName))
    return isGuessable ? [] : [`${path} exports ${exportedNames.join(', ')}`]
  })
/** Older mismatches. Lower the number after renaming one; `--list` prints them. */
const maxMismatches = 49
if (mismatches.length > maxMismatches || process.argv.includes('--list'))
  for (const mismatch of mismatches) console.log(mismatch)
console.log(`${mismatches.length} files share no word with their exports (limit ${maxMismatches})`)
process.exitCode = mismatches.length > maxMismatches ? 1 : 0
