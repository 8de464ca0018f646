/**
 * Pages that are generated from the code: routes, facts and their JSON Schemas, folders, import formats, an
 * example of a request to a model, and the list for programs.
 * `node --import tsx test/docs/made-pages.ts` writes them.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { importForms } from '../../packages/history-import/import-format-table.ts'
import { startDaemon } from '../daemon.ts'
import { readPage, root } from './blocks.ts'
import { buildExampleRequest, formatExample } from './example-request.ts'
import { factSchemas, factsPage } from './facts-page.ts'

interface Content {
  readonly example?: unknown
}
interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
}

const generatorNote = 'made by `test/docs/made-pages.ts`'

/** Returns the text of each page by its path from the root. */
export const madePages = async (description: Description): Promise<Readonly<Record<string, string>>> => ({
  'docs/reference/http.md': routesPage(description),
  'docs/reference/facts.md': factsPage(generatorNote),
  'facts/schema.json': factSchemas(),
  'llms.txt': listForPrograms(),
  'docs/how-to/importing.md': importingPage(),
  'docs/explanation/architecture.md': architecturePage(),
  'docs/explanation/model-view.md': withTable(
    'docs/explanation/model-view.md',
    'example',
    formatExample(await buildExampleRequest()),
  ),
})

/** Replaces the lines between the markers of a page that is otherwise written by hand. */
const withTable = (page: string, name: string, lines: readonly string[]): string =>
  readPage(page).replace(
    new RegExp(`(<!-- ${name}: .*? -->\\n)[\\s\\S]*(\\n<!-- /${name} -->)`),
    (_, begin, end) => `${begin}${lines.join('\n')}${end}`,
  )

/** The rows come from the import rules, so an import against the order of the table is an error. */
const architecturePage = (): string => {
  const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
    readPage('scripts/folders.json'),
  )
  const rows = Object.entries(folders)
    .filter(([folder]) => folder === folder.split('/')[0])
    .flatMap(([folder, names]) =>
      Object.entries(names).map(([name, contents]) => {
        const path = `${folder}/${name}`.replaceAll('\\', '').replace(/\/$/, '')
        return `| \`${path}\` | ${contents} |`
      }),
    )
  return withTable('docs/explanation/architecture.md', 'folders', [
    '| folder or file | contents |',
    '|---|---|',
    ...rows,
    '| `web` | the page (Svelte): one folder per subject with its room, such as `calendar/CalendarRoom.svelte`; it knows the daemon only by its HTTP contract |',
  ])
}

const importingPage = (): string => {
  const rows = importForms.map(({ name, get, send, taken }) => `| ${name} | ${get} | ${send} | ${taken} |`)
  return withTable('docs/how-to/importing.md', 'forms', [
    '| source | how to export | file to send | imported content |',
    '|---|---|---|---|',
    ...rows.map((row) => row.replace(/ {2,}/g, ' ')),
  ])
}

const routesPage = ({ paths, tags }: Description): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `## ${name}\n\n${description}\n\n${own.map(formatRoute).join('\n')}`
  })
  return `# HTTP

Every route, with an example of its request and its response. This page is ${generatorNote} from what the daemon tells at \`/openapi.json\`, which has the schemas, every refusal and a call of
each for \`curl\`. What is refused is JSON with a \`detail\` in words; if a model is the cause, the header \`Daimon-Fault\` has its code (as \`fault\` of \`POST /api/models\`) and \`Daimon-Organ\` the organ; a 503 with \`Retry-After\` is worth another try. How a persona is asked by other protocols: [clients](../how-to/clients.md); what sockets tell: [frames](frames.md).

${sections.join('\n')}`
}

const formatRoute = ({ path, method, operation }: { path: string; method: string; operation: Operation }) => {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const queries = parameters.filter((queryParameter) => queryParameter.in === 'query')
  const [type, sent] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [, answered] = Object.entries(responses['200']?.content ?? {})[0] ?? []
  const lines = [
    `**${summary}.**${description ? ` ${description}` : ''}`,
    '',
    '```http',
    `${method.toUpperCase()} ${path}${type && type !== 'application/json' ? `   ${type}` : ''}`,
    ...(sent?.example === undefined ? [] : [JSON.stringify(sent.example)]),
    '```',
    '',
    ...queries.map(
      ({ name, description: parameterText }) => `- \`?${name}=\`${parameterText ? ` ${parameterText}` : ''}`,
    ),
    ...(queries.length > 0 ? [''] : []),
    ...(typeof answered?.example === 'object'
      ? ['```json', JSON.stringify(answered.example), '```', '']
      : []),
  ]
  return lines.join('\n')
}

/** In the format of llmstxt.org: a title, a summary as a quotation, and lists of links. */
const listForPrograms = (): string => {
  const { description } = JSON.parse(readPage('package.json')) as { readonly description: string }
  const sections = readPage('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .filter((text) => /^- \[/m.test(text))
    .map((text) => `## ${text.split('\n')[0]}\n\n${getLinks(text).join('\n')}\n`)
  return `# Daimon

> ${description}

It is a Node program (20.19 or later) that listens on loopback port 5370, without authentication. A running daemon describes every route at \`/openapi.json\`.

## Begin

- [README](README.md): what it is, five minutes with curl, what is promised and what is not
- [The map of the docs](docs/README.md): which page for what

${sections.join('\n')}`
}

const getLinks = (section: string): readonly string[] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .flatMap((line) => {
      const links = [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
      const description = links.length === 1 ? line.slice(line.indexOf(')') + 1).replace(/^: /, ': ') : ''
      return links.map(([, name, target = '']) => `- [${name}](${fromRoot(target)})${description}`)
    })

const fromRoot = (target: string): string =>
  target.startsWith('../') ? target.slice('../'.length) : `docs/${target}`

export const askDescription = async (): Promise<Description> => {
  const daemon = await startDaemon()
  try {
    return (await (await fetch(`${daemon.url}/openapi.json`)).json()) as Description
  } finally {
    await daemon.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const description = await askDescription()
  for (const [page, text] of Object.entries(await madePages(description)))
    await writeFile(`${root}${page}`, text)
}
