/**
 * Reads everything that a home can show, directly and through the daemon; failures are recorded as answers.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import { type Entry, type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import type { Verdict } from '../../journal/log/journal.ts'
import { createLog } from '../../packages/kit/log.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import type { HostedPersona } from './damaged-home.ts'

/** Answers of one journal. `breakReason`: why one of the answers ended early. */
export interface JournalAnswers {
  readonly facts: readonly string[]
  readonly talk: readonly string[]
  readonly plans: readonly string[]
  readonly heardSeqs: readonly (number | null)[]
  readonly parts: readonly (string | null)[]
  readonly verdict: Verdict
  readonly breakReason: string | null
}

/** Answers for one persona. A refused answer is the name of the error. */
export interface PersonaAnswers {
  /** The persona in the list, before and after the other requests. */
  readonly listedLines: readonly string[]
  /** Why its journal is read-only, at the end. */
  readonly trouble: string | null
  readonly journalAnswers: JournalAnswers | string
  readonly state: string
  readonly key: string | null
  readonly otherLines: readonly string[]
}

/** By persona id; or the reason why the daemon does not answer. */
export type Answers = Readonly<Record<PersonaId, PersonaAnswers>> | string

const log = await createLog({ level: 'silent' })

export const askJournals = async (home: string, personas: readonly HostedPersona[]): Promise<Answers> => {
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const answers: Record<PersonaId, PersonaAnswers> = {}
  const existingIds = await journals.ids()
  for (const ada of personas) {
    const { id } = ada
    let trouble: string | null = null
    const journalAnswers = await getOrReason(async () => {
      const journal = await journals.open(id, 'reader')
      try {
        const answers = await readAll(journal, ada)
        if (!answers.verdict.intact) trouble = `record ${answers.verdict.firstBad}`
        return answers
      } finally {
        await journal.close()
      }
    })
    answers[id] = {
      listedLines: [String(existingIds.includes(id))],
      trouble,
      journalAnswers: journalAnswers,
      state: '',
      key: null,
      otherLines: [],
    }
  }
  await catalog.close()
  return answers
}

export const askPersonas = async (
  home: string,
  hostedPersonas: readonly HostedPersona[],
): Promise<Answers> => {
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const personas = createPersonaStore({
    home,
    journals,
    catalog,
    bus: createBus(),
    clock: createFakeClock(),
    log,
  })
  await personas.ready
  const answers: Record<PersonaId, PersonaAnswers> = {}
  for (const ada of hostedPersonas) answers[ada.id] = await askOne(personas, ada)
  await personas.close()
  await catalog.close()
  return answers
}

const askOne = async (personas: PersonaStore, ada: HostedPersona): Promise<PersonaAnswers> => {
  const { id } = ada
  const listEntry = () => JSON.stringify(personas.getRow(id)?.self ?? null)
  const countBefore = listEntry()
  let state = ''
  const journalAnswers = await getOrReason(() =>
    personas.read(id, async ({ persona, journal }) => {
      state = JSON.stringify(persona)
      return readAll(journal, ada)
    }),
  )
  const would = await getOrReason(() =>
    personas.would(id, { type: 'UpdatePersona', organs: {}, clear: [] }).then(() => 'well'),
  )
  const ref = personas.getRow(id)?.self.organs.thinking?.key ?? null
  const key = ref === null ? null : await getOrReason(async () => personas.secret(id, ref))
  return {
    listedLines: [countBefore, listEntry()],
    trouble: personas.getRow(id)?.trouble ?? null,
    journalAnswers: journalAnswers,
    state,
    key,
    otherLines: [would],
  }
}

const readAll = async (journal: Journal, { keys, parts }: HostedPersona): Promise<JournalAnswers> => {
  let breakReason: string | null = null
  const toLines = async (entries: AsyncIterable<Entry>): Promise<readonly string[]> => {
    const all: string[] = []
    try {
      for await (const entry of entries) all.push(JSON.stringify(entry))
    } catch (error) {
      breakReason = toReason(error)
    }
    return all
  }
  const part = async (sha: string) => {
    const bytes = await journal.part(sha)
    return bytes ? Buffer.from(bytes).toString('base64') : null
  }
  const positionsByKey: (number | null)[] = []
  for (const key of keys) positionsByKey.push((await journal.findByKey(key)) ?? null)
  return {
    facts: await toLines(journal.read({})),
    talk: await toLines(journal.read({ kind: 'talk' })),
    plans: await toLines(journal.read({ kind: 'plans' })),
    heardSeqs: positionsByKey,
    parts: await Promise.all(parts.map(part)),
    verdict: await journal.verify(),
    breakReason: breakReason,
  }
}

/** Asks the whole daemon over HTTP. */
export const askDaemon = async (home: string, hostedPersonas: readonly HostedPersona[]): Promise<Answers> => {
  const daemon = await startDaemon({ home, clock: createFakeClock() })
  const { url } = daemon
  try {
    const get = async (path: string) => {
      const { status, body } = await call(url, 'GET', path)
      return `${status} ${JSON.stringify(body)}`
    }
    const list = async () => (await call(url, 'GET', '/api/personas')).body.personas as readonly View[]
    await waitFor('all personas to run or to be sick', async () =>
      (await list()).every(({ running, status }) => running || status === 'sick'),
    )
    const entriesBefore = await list()
    const answersById = new Map<PersonaId, Pick<PersonaAnswers, 'journalAnswers' | 'otherLines'>>()
    const providers = await get('/api/config/providers')
    for (const ada of hostedPersonas)
      answersById.set(ada.id, {
        journalAnswers: await readTalk(url, ada.id),
        otherLines: [providers, ...(await readUnchanged(url, ada))],
      })
    const entriesAfter = await list()
    const listEntry = (views: readonly View[], id: PersonaId) =>
      JSON.stringify(views.find((view) => view.id === id) ?? null)
    return Object.fromEntries(
      [...answersById].map(([id, answers]) => {
        const sick = entriesAfter.find((view) => view.id === id)?.status === 'sick'
        return [
          id,
          {
            listedLines: [listEntry(entriesBefore, id), listEntry(entriesAfter, id)],
            trouble: sick ? 'sick' : null,
            state: '',
            key: null,
            ...answers,
          },
        ]
      }),
    )
  } finally {
    await daemon.close()
  }
}

interface View {
  readonly id: PersonaId
  readonly status: string
  readonly running: boolean
}

const readTalk = async (url: string, id: PersonaId): Promise<JournalAnswers | string> => {
  const { status, body } = await call(url, 'GET', `/api/persona/${id}/conversation?limit=1000`)
  if (status !== 200) return `${status} ${body.detail}`
  const talk = (body.messages as readonly unknown[]).map((message) => JSON.stringify(message))
  return { facts: [], talk, plans: [], heardSeqs: [], parts: [], verdict: emptyVerdict, breakReason: null }
}

const emptyVerdict: Verdict = {
  events: 0,
  head: { seq: 0, hash: '' },
  intact: true,
  firstBad: null,
  reason: null,
}

/** Sends requests that change nothing: an empty update, and downloads of the files. */
const readUnchanged = async (url: string, { id, media }: HostedPersona): Promise<readonly string[]> => {
  const { status, body } = await call(url, 'POST', `/api/persona/${id}/update`, {})
  const files: string[] = []
  for (const name of media) {
    const response = await fetch(`${url}/api/persona/${id}/media/${name}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    files.push(response.ok ? bytes.toString('base64') : `${response.status}`)
  }
  return [`${status} ${JSON.stringify(body)}`, ...files]
}

const getOrReason = async <T>(ask: () => Promise<T>): Promise<T | string> => {
  try {
    return await ask()
  } catch (error) {
    return toReason(error)
  }
}

const toReason = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)
