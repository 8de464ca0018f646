import { execFile, execFileSync } from 'node:child_process'
import { access, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { newPhrase } from '../../src/persona/phrase.ts'
import { startDaemon } from '../daemon.ts'

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')

interface Step {
  readonly script: string
  /** What the README says the shell prints; null where it says nothing. */
  readonly prints: string | null
}

const stepsOf = (section: string): readonly Step[] => {
  const steps: { script: string; prints: string | null }[] = []
  for (const [, language, text = ''] of section.matchAll(/```(sh|text)\n([\s\S]*?)```/g)) {
    const last = steps.at(-1)
    if (language === 'sh') steps.push({ script: text, prints: null })
    else if (last) last.prints = text
  }
  return steps
}

const section = (title: string): string => {
  const begin = readme.indexOf(`## ${title}\n`)
  ok(begin > 0, `the README has a section ${title}`)
  const end = readme.indexOf('\n## ', begin)
  return readme.slice(begin, end < 0 ? undefined : end)
}

const hasCurl = () => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A folder for the PATH with a curl in it, on machines without one. */
const toolsIn = async (folder: string): Promise<string> => {
  if (hasCurl()) return process.env.PATH ?? ''
  const curl = join(folder, 'curl')
  await writeFile(
    curl,
    `#!/bin/sh\nexec "${process.execPath}" "${fileURLToPath(new URL('./curl.mjs', import.meta.url))}" "$@"\n`,
  )
  await chmod(curl, 0o755)
  return `${folder}:${process.env.PATH ?? ''}`
}

const mark = '=== the next step ==='

test('the walk works word for word, and prints what it says', async () => {
  const [daemon, elsewhere] = [await startDaemon({ newPhrase }), await startDaemon()]
  const folder = await mkdtemp(join(tmpdir(), 'walk-'))
  try {
    const steps = stepsOf(section('Five minutes with curl'))
    ok(steps.length >= 7, `${steps.length} steps`)
    const script = `set -eu\n${steps.map(({ script }) => script).join(`\necho '${mark}'\n`)}`
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: await toolsIn(folder), DAIMON: daemon.url, ELSEWHERE: elsewhere.url },
    })
    const printed = stdout.split(`${mark}\n`)
    is(printed.length, steps.length)
    steps.forEach(({ prints }, i) => {
      if (prints !== null) equal(printed[i], prints)
      ok(!printed[i]?.includes('"detail"'), printed[i])
    })
    match(printed.join('\n'), /"status":"stopped"/)
    equal(JSON.parse(await readFile(join(folder, 'ada.json'), 'utf8')).recovery_phrase.split(' ').length, 24)
    for (const { url, home } of [daemon, elsewhere]) {
      equal(await (await fetch(`${url}/api/personas`)).json(), { personas: [] })
      equal(await readdir(join(home, 'diaries')).catch(() => []), [])
    }
  } finally {
    await Promise.all([daemon.close(), elsewhere.close()])
    await rm(folder, { recursive: true, force: true })
  }
})

test('every setting that is read is described, and every limit is named in the README', async () => {
  const config = await readFile(new URL('../../src/config.ts', import.meta.url), 'utf8')
  const settings = await readFile(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8')
  const read = new Set([...config.matchAll(/env\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name))
  for (const name of read) {
    ok(settings.includes(`\`${name}\``), `${name} is not in docs/reference/settings.md`)
    if (name.startsWith('DAIMON_MAX_')) ok(readme.includes(`\`${name}\``), `${name} is not in the README`)
  }
})

test('the README is short, and every page it names is there', async () => {
  ok(readme.split('\n').length < 200)
  for (const [, page = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g))
    await access(new URL(`../../${page}`, import.meta.url))
})

test.run()
