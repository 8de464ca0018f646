/**
 * Counts the files of the daemon that run code for one request, which a reader must open to follow it. Uses
 * V8's own call counts.
 */
import { Session } from 'node:inspector'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Subject } from 'rxjs'
import { startDaemon } from '../test/daemon.ts'
import type { Figure } from './figure.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Returns the product files in which a function was called since the last call, sorted. Nothing else runs
 * meanwhile, because the answer arrives before the call returns.
 */
const openCounter = (): { take(): readonly string[]; close(): void } => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = () => {
    const files = new Set<string>()
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      for (const { url, functions } of result) {
        const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''
        // The function that starts at the beginning of the file is the module itself.
        const wasCalled = functions.some(
          ({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0,
        )
        if (wasCalled && /^(?:journal|projections|src)\//.test(path)) files.add(path)
      }
    })
    return [...files].sort()
  }
  return { take, close: () => session.disconnect() }
}

/** Resolves in the call that publishes the next commit. */
const listPublished = (): Promise<readonly string[]> & {
  readonly counter: ReturnType<typeof openCounter>
} => {
  const counter = openCounter()
  const { next } = Subject.prototype
  const publishing = new Promise<readonly string[]>((resolve) => {
    Subject.prototype.next = function (this: Subject<unknown>, value: unknown) {
      if (typeof value === 'object' && value !== null && 'entries' in value) {
        Subject.prototype.next = next
        resolve(counter.take())
      }
      return next.call(this, value)
    }
  })
  return Object.assign(publishing, { counter })
}

export const spine = async (): Promise<readonly Figure[]> => {
  const daemon = await startDaemon()
  const ask = async (path: string, body: object) => {
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return (await fetch(`${daemon.url}/api/persona/${path}`, options)).json() as Promise<{
      persona: { id: string }
    }>
  }
  const { persona } = await ask('create', { name: 'Ada', thinking_model: 'embedded/practice' })
  // Warms up lookups that happen only once.
  for (let n = 0; n < 3; n++) await ask(`${persona.id}/read?wait=10`, { message: 'Hello' })

  const figures: Figure[] = []
  const tell = (label: string, files: readonly string[], goal: number) => {
    if (process.env.SPINE_FILES) console.log(`\n${label}\n${files.map((file) => `  ${file}`).join('\n')}`)
    figures.push({
      label,
      value: files.length,
      unit: 'files',
      goal: `≤ ${goal}`,
      isMet: files.length <= goal,
    })
  }
  const follow = async (path: string, body: object) => {
    const publishing = listPublished()
    await ask(path, body)
    const publishedBefore = await publishing
    const all = [...new Set([...publishedBefore, ...publishing.counter.take()])].sort()
    publishing.counter.close()
    return { before: publishedBefore, all }
  }
  const readFollow = await follow(`${persona.id}/read?wait=10`, { message: 'I like tea.' })
  tell('a read until it is published', readFollow.before, 25)
  tell('a read until its turn has ended', readFollow.all, 70)
  const updating = await follow(`${persona.id}/update`, { name: 'Eva' })
  tell('an update until it is answered', updating.all, 50)
  await daemon.close()
  return figures
}
