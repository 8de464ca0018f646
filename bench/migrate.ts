/**
 * Measures migrating a persona with a million facts to an empty home, through the HTTP routes of the built
 * daemon: time in total and by step, and memory.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { personaVersion } from '../projections/persona.ts'
import { openDiary } from '../src/diary/diary.ts'
import { fold, projector } from '../src/persona/fold.ts'
import { deriveIdentity, readPhrase } from '../src/persona/phrase.ts'
import { fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import {
  copyPersona,
  journalsIn,
  measureCreation,
  measureWatched,
  quiet,
  seconds,
  wakePersona,
} from './long-work.ts'

/** Share of the full size: `MIGRATE_BENCH=0.1` for a tenth. */
const facts = Math.round(1_000_000 * (Number(process.env.MIGRATE_BENCH) || 1))

export const migrate = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    const home = join(folder, 'home')
    const diary = join(folder, 'her.diary')
    await mkdir(home)
    const [id = ''] = await fillHome(home, [facts])
    const { phrase, exporting, creating } = await exportPersona(home, id, diary)
    const copySeconds = await seconds(() => copyPersona(home, id, join(folder, 'copied')))
    const parts = await inParts(id, diary, phrase, join(folder, 'apart'))
    const migration = await measureMigration(diary, phrase, join(folder, 'empty'))
    const label = `a persona with ${facts} facts (${Math.round((await stat(diary)).size / mebi)} MB)`
    const copying = { label: 'copying and opening the journal unchecked', value: copySeconds }
    return [
      { label: `${label}, exported`, value: exporting, unit: 's', goal: '< 60 s', isMet: exporting < 60 },
      {
        label: `${label}, migrated`,
        value: migration.took,
        unit: 's',
        baseline: copying,
        goal: '< 120 s',
        isMet: migration.took < 120,
      },
      {
        label: `${label}, migrated, CPU time`,
        value: migration.work,
        unit: 's',
        goal: '< 120 s',
        isMet: migration.work < 120,
      },
      ...Object.entries(parts).map(([part, took]) => {
        const maxSeconds = part === 'unpacked' ? 90 : 5
        return {
          label: `step: ${part}`,
          value: took,
          unit: 's',
          goal: `< ${maxSeconds} s`,
          isMet: took < maxSeconds,
        }
      }),
      {
        label: `${label}, memory of the daemon`,
        value: migration.memory,
        unit: 'MB',
        goal: '< 100 MB more',
        isMet: migration.memory < 100,
        baseline: { label: 'creating a persona', value: creating },
      },
      {
        label: `${label}, longest wait of other requests`,
        value: migration.waitedMs,
        unit: 'ms',
        goal: '< 100 ms',
        isMet: migration.waitedMs < 100,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const mebi = 1024 * 1024

/** Sets a known recovery phrase, exports the persona, and removes it from the home. */
const exportPersona = async (home: string, id: PersonaId, diary: string) => {
  const daemon = await startProcess({ home, env: { DAIMON_LOG_LEVEL: 'error' } })
  const personaUrl = `${daemon.url}/api/persona/${id}`
  const phraseReply = JSON.parse(await text(await ask(`${personaUrl}/phrase`, 'POST')))
  const exporting = await seconds(async () =>
    pipeline(await ask(`${personaUrl}/export`, 'GET'), createWriteStream(diary)),
  )
  await quiet(daemon.child.pid)
  const { memory: creating } = await measureCreation(daemon.url, daemon.child.pid)
  await daemon.kill('SIGTERM')
  return { phrase: String(phraseReply.recovery_phrase), exporting, creating }
}

/** Runs the same steps as the route, one after the other, with the same code in this process. */
const inParts = async (id: PersonaId, path: string, phrase: string, home: string) => {
  await mkdir(home)
  const journals = await journalsIn(home)
  const readResult = await readPhrase(phrase)
  if (readResult.fault) throw new Error('the recovery phrase is unknown')
  const { entropy } = readResult
  const openTestDiary = async () => openDiary(path, await deriveIdentity(entropy), home)
  let diary: Awaited<ReturnType<typeof openTestDiary>> | undefined
  const unpackSeconds = await seconds(async () => {
    diary = await openTestDiary()
  })
  if (!diary) throw new Error('it was not unpacked')
  const { folder, manifest } = diary
  const stage = () => journals.stage(id, folder, manifest.head)
  const stageSeconds = await seconds(async () => (await stage()).close())
  const stagedJournal = await stage()
  const foldSeconds = await seconds(async () => {
    const { persona } = await fold(stagedJournal.journal)
    await stagedJournal.journal.keepSnapshot({
      projector,
      version: personaVersion,
      head: stagedJournal.journal.head,
      state: persona,
    })
  })
  const placeSeconds = await seconds(() => stagedJournal.place('drop'))
  const awake = await seconds(() => wakePersona(journals, id))
  return {
    unpacked: unpackSeconds,
    indexed: stageSeconds,
    folded: foldSeconds,
    placed: placeSeconds,
    woken: awake,
  }
}

/** Resolves when the persona exists and is running. `waited`: the longest time of an unrelated request. */
const measureMigration = async (path: string, phrase: string, home: string) => {
  await mkdir(home)
  const daemon = await startProcess({ home, env: { DAIMON_LOG_LEVEL: 'error' } })
  const { pid } = daemon.child
  try {
    return await measureWatched(
      pid,
      async () => text(await ask(`${daemon.url}/api/personas`, 'GET')),
      async () => {
        const fields = { phrase, model: 'embedded/practice' }
        const { size: bytes } = await stat(path)
        await text(await ask(`${daemon.url}/api/persona/migrate`, 'POST', { fields, path, bytes }))
      },
    )
  } finally {
    await daemon.kill('SIGTERM')
  }
}

interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly path: string
  readonly bytes: number
}

/** Makes a request without the time limits of `fetch`. */
const ask = (url: string, method: string, form?: Form): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const head = Object.entries(form?.fields ?? {}).map(
      ([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`,
    )
    const begin = `${head.join('')}${part('diary')}; filename="her.diary"\r\n\r\n`
    const end = '\r\n--frame--\r\n'
    const length = form ? begin.length + form.bytes + end.length : 0
    const headers = form
      ? { 'Content-Type': 'multipart/form-data; boundary=frame', 'Content-Length': length }
      : {}
    const upload = request(url, { method, headers }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else void text(response).then((body) => reject(new Error(`${response.statusCode}: ${body}`)), reject)
    })
    upload.on('error', reject)
    const body = async function* () {
      if (!form) return
      yield Buffer.from(begin)
      yield* createReadStream(form.path)
      yield Buffer.from(end)
    }
    pipeline(body, upload).catch(reject)
  })

const part = (name: string): string => `--frame\r\nContent-Disposition: form-data; name="${name}"`
