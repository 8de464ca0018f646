/** Reads the fenced blocks of a page of the docs, and the steps that a reader types. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** The comment before the block: why no test runs it. */
  readonly mark: string | null
  readonly text: string
}

export interface Step {
  readonly block: Block
  /** The output that the page shows; `…` matches the rest of a line. Null if the page shows none. */
  readonly prints: string | null
}

/** Returns the paths of the README and of every page under `docs/`. */
export const pages = (): readonly string[] => [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
]

export const readPage = (page: string): string => readFileSync(`${root}${page}`, 'utf8')

/** A fenced block may follow a comment line, `<!-- not run: why -->`, which GitHub does not show. */
const fence = /(?:^ *<!-- (.+) -->\n)?^( *)```(.*)\n([\s\S]*?)^\2```$/gm

export const listBlocks = (page: string, text = readPage(page)): readonly Block[] =>
  [...text.matchAll(fence)].map(({ index, 1: mark = null, 3: language = '', 4: content = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    mark,
    text: content,
  }))

/** Returns the blocks that are run, in order, each with the output that the page shows after it. */
export const toSteps = (blocks: readonly Block[]): readonly Step[] =>
  blocks.flatMap((block, index) => {
    if (block.language !== 'sh' || block.mark !== null) return []
    const next = blocks[index + 1]
    return [{ block, prints: next?.language === 'text' ? next.text : null }]
  })
