/** The fenced blocks of a page of the docs, and the steps that a reader is to type. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** Behind `sh`: why nobody runs it here. */
  readonly mark: string | null
  readonly text: string
}

export interface Step {
  readonly block: Block
  /**
   * What the page says the shell prints, `…` standing for whatever is on a line; null where it says nothing.
   */
  readonly prints: string | null
}

/** The README, and every page under `docs/`, by their paths. */
export const pages = (): readonly string[] => [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
]

export const textOf = (page: string): string => readFileSync(`${root}${page}`, 'utf8')

export const blocksOf = (page: string, text = textOf(page)): readonly Block[] =>
  [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm)].map(({ index, 2: info = '', 3: words = '' }) => {
    const [language = '', ...behind] = info.split(' ')
    return {
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      mark: behind.length > 0 ? behind.join(' ') : null,
      text: words,
    }
  })

/** What is run, in order, each with what the page shows right behind it. */
export const stepsOf = (blocks: readonly Block[]): readonly Step[] =>
  blocks.flatMap((block, at) => {
    if (block.language !== 'sh' || block.mark !== null) return []
    const next = blocks[at + 1]
    return [{ block, prints: next?.language === 'text' ? next.text : null }]
  })
