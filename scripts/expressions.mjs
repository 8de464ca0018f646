/**
 * Finds all regular expressions of the product: literals in the code, and expressions that modules create
 * when they are loaded.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['packages', 'journal', 'facts', 'home', 'projections', 'src', 'web']

/**
 * Matches the comment, on the same line or the line above, that explains why an expression is linear although
 * the analysis cannot prove it.
 */
const excuse = /\/\/ Linear: \S.*/

/**
 * Returns the expressions of the files whose path contains `only`, as `{ file, line, source, flags, excuse
 * }`. `source` is undefined if a function creates the expression from its arguments.
 */
export const expressions = async (pathPart = '') => {
  const expressionsInFiles = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => isProduct(join(folder, name)) && join(folder, name).includes(pathPart))
      .flatMap((name) => inFile(join(folder, name))),
  )
  const created = await madeIn([
    ...new Set(expressionsInFiles.filter(({ made: created }) => created).map(({ file }) => file)),
  ])
  return expressionsInFiles.flatMap((expression) =>
    expression.made ? withSources(expression, created) : expression,
  )
}

const isProduct = (path) => path.endsWith('.ts') && !/^packages\/[^/]+\/test\//.test(path)

/** One place may create several expressions from different constants. */
const withSources = (expression, created) => {
  const its = created.filter(({ file, line }) => file === expression.file && line === expression.line)
  return its.length > 0 ? its.map((item) => ({ ...expression, ...item })) : expression
}

const inFile = (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.split('\n')
  const expressionsInFile = []
  visit(file, text, (node, line) => {
    const comment = [lines[line - 1], lines[line - 2]].map((words) => excuse.exec(words ?? '')).find(Boolean)
    const place = { file, line, excuse: comment !== undefined }
    if (ts.isRegularExpressionLiteral(node)) expressionsInFile.push({ ...place, ...parseLiteral(node.text) })
    else if (isMaking(node)) expressionsInFile.push({ ...place, made: true })
  })
  return expressionsInFile
}

const visit = (file, text, look) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const walk = (node) => {
    look(node, source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, walk)
  }
  walk(source)
}

const parseLiteral = (literal) => {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}

const isMaking = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'

/** Loads the modules with an instrumented `RegExp` and returns the expressions that they create. */
const madeIn = async (files) => {
  const created = []
  globalThis.tellExpression = (place, source, flags = '') => {
    const [file, line] = place.split(':')
    created.push({ file, line: Number(line), source: String(source), flags })
    return new RegExp(source, flags)
  }
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp', 'expressions-'))
  try {
    await build({
      absWorkingDir: root,
      entryPoints: files,
      outbase: root,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
      plugins: [
        {
          name: 'telling',
          setup: ({ onLoad }) =>
            onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
              contents: await readTelling(path),
              loader: 'ts',
            })),
        },
      ],
    })
    for (const file of files) await import(pathToFileURL(join(folder, file.replace(/\.ts$/, '.mjs'))).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    delete globalThis.tellExpression
  }
  return created
}

const readTelling = async (path) => {
  const file = relative(root, path)
  const text = await readFile(path, 'utf8')
  const places = []
  visit(
    file,
    text,
    (node, line) => isMaking(node) && places.push({ from: node.getStart(), to: node.arguments.pos, line }),
  )
  return places.reduceRight(
    (result, { from, to, line }) =>
      `${result.slice(0, from)}tellExpression('${file}:${line}', ${result.slice(to)}`,
    text,
  )
}
