/** The resources of a persona: its memory by documents, and each day that is over. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import { Document, type PersonaId } from '../../../facts/fact-values.ts'
import { type Clock, offsetThen } from '../../../packages/kit/time/clock.ts'
import { toDocuments } from '../../../projections/knowledge.ts'
import { type ClosedDay, daysWithin, lastDays } from '../../../projections/past-calendar.ts'
import type { PersonaStore, Reading } from '../../persona/persona-store.ts'
import { yieldingJournal } from '../../persona/yielding-journal.ts'
import type { AnswerDeps } from './tool-answers.ts'

export interface ResourceDeps extends AnswerDeps {
  readonly personas: Pick<PersonaStore, 'read'>
  readonly clock: Pick<Clock, 'zone'>
}

/** Days per page. */
const pageSize = 50
const markdownType = 'text/markdown'

export const offerResources = (server: Server, deps: ResourceDeps, id: PersonaId): void => {
  const { personas, clock } = deps
  const readPersona = <T>(work: (reading: Reading) => Promise<T>) =>
    withErrorMessage(deps, () => personas.read(id, work))
  server.setRequestHandler('resources/list', async ({ params }) =>
    readPersona((reading) => page(reading, { id, zone: clock.zone, cursor: params?.cursor })),
  )
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      {
        name: 'memory',
        title: 'What it knows',
        uriTemplate: `${toUri(id, 'memories')}{document}`,
        description: `document: ${Document.options.join(', ')}`,
        mimeType: markdownType,
      },
      {
        name: 'day',
        title: 'A day that is over',
        uriTemplate: `${toUri(id, 'days')}{date}`,
        description: 'date: as 2026-11-24',
        mimeType: markdownType,
      },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) =>
    readPersona(async (reading) => {
      const text = await textAt(reading, uri, { id, zone: clock.zone })
      if (text === null) throw new ResourceNotFoundError(uri)
      return { contents: [{ uri, mimeType: markdownType, text }] }
    }),
  )
}

interface PersonaZone {
  readonly id: PersonaId
  readonly zone: string
}

const toUri = (id: PersonaId, kind: 'memories' | 'days'): string =>
  `daimon://${encodeURIComponent(id)}/${kind}/`

/**
 * Lists the memory first, then the days, the newest first. A cursor is a date; the page has the days before
 * it.
 */
const page = async (
  { persona, journal }: Reading,
  { id, zone, cursor }: PersonaZone & { readonly cursor: string | undefined },
) => {
  if (cursor !== undefined && !isDate(cursor))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is invalid.')
  const all = await lastDays(yieldingJournal(journal), Infinity, offsetThen(zone))
  const daysBefore = all.toReversed().filter((day) => cursor === undefined || formatDate(day) < cursor)
  const days = daysBefore.slice(0, pageSize)
  const last = daysBefore.length > days.length ? days.at(-1) : undefined
  const memories = cursor === undefined ? Object.keys(toDocuments(persona.knowledge)) : []
  return {
    resources: [
      ...memories.map((document) => ({
        uri: `${toUri(id, 'memories')}${document}`,
        name: document,
        title: `Memory: ${document}`,
        mimeType: markdownType,
      })),
      ...days.map((day) => ({
        uri: `${toUri(id, 'days')}${formatDate(day)}`,
        name: formatDate(day),
        title: `Day: ${formatDate(day)}`,
        mimeType: markdownType,
      })),
    ],
    ...(last && { nextCursor: formatDate(last) }),
  }
}

/** Returns null if there is nothing at this address. */
const textAt = async (
  { persona, journal }: Reading,
  uri: string,
  { id, zone }: PersonaZone,
): Promise<string | null> => {
  const document = Document.safeParse(textAfter(uri, toUri(id, 'memories')))
  if (document.success) {
    const text = toDocuments(persona.knowledge)[document.data]
    return text === undefined ? null : `# ${document.data}\n\n${text}\n`
  }
  const date = textAfter(uri, toUri(id, 'days'))
  if (date === null || !isDate(date)) return null
  const noon = Date.parse(`${date}T12:00Z`)
  const span = { from: noon - 2 * aDay, to: noon + 2 * aDay }
  const days = await daysWithin(yieldingJournal(journal), span, offsetThen(zone))
  const day = days.find((closedDay) => formatDate(closedDay) === date)
  return day ? `# ${date}\n\n${day.body}\n` : null
}

const aDay = 24 * 3_600_000

const textAfter = (text: string, start: string): string | null =>
  text.startsWith(start) ? text.slice(start.length) : null

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T12:00Z`))

/** Returns the date in the local time of the persona at that time. */
const formatDate = ({ at, offset }: ClosedDay): string =>
  new Date(at + offset * 60_000).toISOString().slice(0, 10)

/** The library would send the message of an error unchanged. */
const withErrorMessage = async <T>({ explain, log }: AnswerDeps, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const { words, own: isOwnFault } = explain(error)
    if (isOwnFault) log.error({ err: error }, 'failed to read a resource for an MCP client')
    throw new ProtocolError(ProtocolErrorCode.InternalError, words)
  }
}
