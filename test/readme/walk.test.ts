import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, match, ok } from 'uvu/assert'
import { newPhrase } from '../../src/persona/phrase.ts'
import { startDaemon } from '../daemon.ts'
import { listBlocks, readPage, toSteps } from '../docs/blocks.ts'
import { toolsIn, walk } from '../docs/walk.ts'

const readme = readPage('README.md')

const section = (title: string): string => {
  const begin = readme.indexOf(`## ${title}\n`)
  ok(begin > 0, `the README has a section ${title}`)
  const end = readme.indexOf('\n## ', begin)
  return readme.slice(begin, end < 0 ? undefined : end)
}

test('the walk works word for word, and prints what it says', async () => {
  const daemon = await startDaemon({ newPhrase })
  const otherDaemon = await startDaemon()
  const folder = await mkdtemp(join(tmpdir(), 'walk-'))
  try {
    const steps = toSteps(listBlocks('README.md', section('Five minutes with curl')))
    ok(steps.length >= 6, `${steps.length} steps`)
    const env = {
      ...process.env,
      PATH: await toolsIn(folder),
      DAIMON: daemon.url,
      ELSEWHERE: otherDaemon.url,
    }
    const printedLines = await walk('', steps, { cwd: folder, env })
    match(printedLines.join('\n'), /"status":"stopped"/)
    equal(JSON.parse(await readFile(join(folder, 'ada.json'), 'utf8')).recovery_phrase.split(' ').length, 24)
    for (const { url, home } of [daemon, otherDaemon]) {
      equal(await (await fetch(`${url}/api/personas`)).json(), { personas: [] })
      equal(await readdir(join(home, 'diaries')).catch(() => []), [])
    }
  } finally {
    await Promise.all([daemon.close(), otherDaemon.close()])
    await rm(folder, { recursive: true, force: true })
  }
})

test('every setting that is read is described, and every limit is named in the README', async () => {
  const config = await readFile(new URL('../../src/config.ts', import.meta.url), 'utf8')
  const settings = readPage('docs/reference/settings.md')
  const variableNames = new Set([...config.matchAll(/env\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name))
  for (const name of variableNames) {
    ok(settings.includes(`\`${name}\``), `${name} is not in docs/reference/settings.md`)
    if (name.startsWith('DAIMON_MAX_')) ok(readme.includes(`\`${name}\``), `${name} is not in the README`)
  }
})

test('the README is short, and its two commands come first', () => {
  ok(readme.split('\n').length <= 151)
  equal(
    listBlocks('README.md')
      .slice(0, 2)
      .map(({ text }) => text),
    ['npm start\n', 'npm test\n'],
  )
})

test.run()
