/** Runs the commands of the docs with a daemon, the files of a reader, and the persona Ada. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { is } from 'uvu/assert'
import { zip } from '../../packages/documents/test/zip.ts'
import { chatGptZip } from '../../packages/history-import/test/made.ts'
import { eternegoHome, sillyTavern, workspace } from '../../packages/history-import/test/made-forms.ts'
import { call } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { listBlocks, pages, type Step, toSteps } from './blocks.ts'
import { toolsIn, walk } from './walk.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Commands to run before those of a page, as the overview of the docs says. */
const beforeAll = toSteps(listBlocks('docs/README.md'))
  .map(({ block }) => block.text)
  .join('')

interface ModelRequest {
  readonly daemon: Pick<TestDaemon, 'url' | 'home'>
  readonly otherDaemon?: Pick<TestDaemon, 'url'>
}

/** Runs the steps in a new folder with the files that the pages mention. */
export const typeSteps = async (
  textBefore: string,
  steps: readonly Step[],
  { daemon, otherDaemon = daemon }: ModelRequest,
): Promise<void> => {
  const cwd = await mkdtemp(join(tmpdir(), 'typed-'))
  const tools = await mkdtemp(join(tmpdir(), 'tools-'))
  try {
    await writeFile(join(cwd, 'kite.png'), picture)
    await writeFile(join(cwd, 'voice.webm'), Buffer.from('1a45dfa3', 'hex'))
    await writeFile(join(cwd, 'export.zip'), chatGptZip())
    const homes = { openclaw: workspace, tavern: sillyTavern, eternego: eternegoHome }
    for (const [name, files] of Object.entries(homes)) await writeFile(join(cwd, `${name}.zip`), zip(files))
    const DAIMON = daemon.url
    const ELSEWHERE = otherDaemon.url
    const DAIMON_HOME = daemon.home
    const ours = { PATH: await toolsIn(tools), DAIMON, DAIMON_URL: DAIMON, ELSEWHERE, DAIMON_HOME }
    await walk(textBefore, steps, { cwd, env: { ...process.env, ...ours } })
  } finally {
    for (const folder of [cwd, tools]) await rm(folder, { recursive: true, force: true })
  }
}

/** The pages of a docs folder that contain commands. */
const typedPages = (isAsked: (page: string) => boolean) =>
  pages()
    .filter((page) => page.startsWith('docs/') && isAsked(page))
    .map((page) => ({ page, steps: toSteps(listBlocks(page)) }))
    .filter(({ steps }) => steps.length > 0)

/** Creates Ada as the only persona, with a message and a statement. */
export const makeAda = async ({ url }: Pick<TestDaemon, 'url'>): Promise<void> => {
  for (const { id } of (await call(url, 'GET', '/api/personas')).body.personas)
    await call(url, 'POST', `/api/persona/${id}/delete?purge=true`)
  const ada = { name: 'Ada', thinking_model: 'embedded/practice' }
  const { persona } = (await call(url, 'POST', '/api/persona/create', ada)).body
  const talk = `/api/persona/${persona.id}/read?wait=60`
  is((await call(url, 'POST', talk, { message: 'I live in Lisbon.' })).status, 200)
}

/** Adds a test for each page. All use one daemon, and each has its own Ada. */
export const typePages = (test: Test, isAsked: (page: string) => boolean): void => {
  let home: string
  let daemon: TestDaemon
  test.before(async () => {
    home = await tempHome()
    daemon = await startDaemon({ home })
  })
  test.after(async () => {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  })
  for (const { page, steps } of typedPages(isAsked))
    test(`the commands of ${page} run unchanged`, async () => {
      await makeAda(daemon)
      await typeSteps(beforeAll, steps, { daemon })
    })
}
