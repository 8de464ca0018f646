/** Checks in the build that untrusted files are opened only by separate processes. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mainFile } from './daemon.ts'

/** Returns all files that a module of the build can load, with their text. */
const listLoaded = (name: string): ReadonlyMap<string, string> => {
  const folder = dirname(mainFile)
  const textByFile = new Map<string, string>()
  const remainingNames = [name]
  for (let next = remainingNames.pop(); next !== undefined; next = remainingNames.pop()) {
    if (textByFile.has(next)) continue
    const text = readFileSync(join(folder, next), 'utf8')
    textByFile.set(next, text)
    for (const [, other] of text.matchAll(/(?:from|import|require)\s*\(?["']\.\/([\w.-]+\.[cm]js)["']/g))
      remainingNames.push(other ?? '')
  }
  return textByFile
}

/** Texts that occur only in these modules. */
const openers: Readonly<Record<string, readonly [sign: string, process: string]>> = {
  'a zip': ['End of central directory record signature not found', 'document-reader.mjs'],
  'the zip of a history': ['End of central directory record signature not found', 'history-reader.mjs'],
  'a PDF': ['GlobalWorkerOptions', 'document-reader.mjs'],
  'a part of an office document': ['xmlMode', 'document-reader.mjs'],
  'a page of the web': ['readability', 'page-parser.mjs'],
  'an exported history': ['conversations_memory', 'history-reader.mjs'],
}

/** The zip of a skill is an exception: max 6 MiB, listed with its own limits. */
const skillFiles = /^read-upload-/

// Fails if the daemon itself lists zips and parses histories.
for (const [fileKind, [sign, processFile]] of Object.entries(openers))
  test(`the daemon never loads the parser for ${fileKind}, and a separate process does`, () => {
    const holders = [...listLoaded('daimon.cjs')].flatMap(([name, text]) =>
      text.includes(sign) ? [name] : [],
    )
    assert.equal(
      holders.filter((name) => !skillFiles.test(name)),
      [],
    )
    assert.ok([...listLoaded(processFile).values()].some((text) => text.includes(sign)))
  })

test('the PDF reader has no version in which a document can run scripts (CVE-2026-16633: 5.6.83 up to 6.2.107)', async () => {
  const { getResolvedPDFJS } = await import('unpdf')
  const [major = 0, minor = 0, patch = 0] = (await getResolvedPDFJS()).version.split('.').map(Number)
  const versionNumber = major * 1e8 + minor * 1e4 + patch
  assert.ok(
    versionNumber < 5e8 + 6e4 + 83 || versionNumber >= 6e8 + 2e4 + 108,
    `pdf.js ${major}.${minor}.${patch}`,
  )
})

test('the processes that open files do not evaluate strings as code', async () => {
  const { startChildProcess: startApart } = await import('../../packages/kit/child-process.ts')
  const { writeFile, mkdtemp, rm } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { pathToFileURL } = await import('node:url')
  const folder = await mkdtemp(join(tmpdir(), 'apart-'))
  try {
    const path = join(folder, 'code.mjs')
    const tries = `[() => eval('1'), () => new Function('return 1')()].map((make) => { try { return make() } catch (error) { return error.name } })`
    await writeFile(path, `process.once('message', () => process.send(${tries}))`)
    const child = await startApart<readonly string[]>({
      file: pathToFileURL(path),
      memory: 2 ** 28,
      signal: new AbortController().signal,
    })
    child.say({})
    assert.equal(await child.next(30_000), ['EvalError', 'EvalError'])
    await child.end()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.run()
