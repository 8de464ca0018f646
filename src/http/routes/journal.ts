/** Routes that read the journal and salvage a damaged one. */

import { once } from 'node:events'
import type { Response } from 'express'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { isFact } from '../../../facts/facts.ts'
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import { type Bell, createBell } from '../../../packages/kit/flow/bell.ts'
import { type AuditFilter, createAuditFilter } from '../../audit/audit-filter.ts'
import { AuditLine, damagedLine } from '../../audit/audit-line.ts'
import { type AuditPosition, findStartOfLast, readAuditPage } from '../../audit/audit-page.ts'
import { listen } from '../../bus.ts'
import { salvageJournal } from '../../commands/journal.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { instantDescription, readInstant } from './moments.ts'

/** Ms between two keep-alive lines while the client waits for new facts. */
const silence = 15_000

const JournalQuery = z.object({
  after: z.int().min(0).default(0).describe('Only facts after this position.'),
  upto: z.int().min(1).optional().describe('Last position to include.'),
  from: z.string().optional().describe(`Start of the range. ${instantDescription}`),
  to: z.string().optional().describe(`End of the range, exclusive. ${instantDescription}`),
  type: z.string().optional().describe('Only these fact types, separated by commas.'),
  q: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only facts whose payload contains this text. Ignores case and accents.'),
  last: z.int().min(1).optional().describe('Only the last so many of the matching facts.'),
  follow: z.boolean().default(false).describe('Keep the response open and send new facts.'),
})
type JournalQuery = z.infer<typeof JournalQuery>

export const getJournalRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/journal',
  summary:
    'All facts of the persona, one per line, the oldest first. A damaged journal ends with {"damaged":{"seq","reason"}}',
  description: 'One JSON object per line. With `follow` the response stays open and new facts are sent.',
  tag: 'Journal',
  query: JournalQuery,
  reply: { lines: AuditLine },
  refuses: ['persona_unknown', 'window_invalid', 'journal_damaged', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query, response }) => {
      const types = parseTypes(query.type, 'type')
      requireListed(deps.personas, id)
      const filter = { ...(await parseMoments(query, deps)), types, text: query.q ?? null }
      await withAbortSignal(response, deps.closing, (signal) =>
        streamJournal(deps, id, { ...query, filter }, { response, gone: signal }),
      )
      return alreadySent
    },
})

/** Throws invalid if a name is not a fact. */
export const parseTypes = (text: string | undefined, field: string): ReadonlySet<string> | null => {
  const names = text?.split(',').map((name) => name.trim())
  if (!names) return null
  const unknownName = names.find((name) => !isFact(name))
  if (unknownName === undefined) return new Set(names)
  const msg = 'Input should be names of facts with commas between them, such as MessageHeard,MessageSpoken'
  throw new HttpRefused({
    code: 'invalid',
    items: [{ type: 'enum', loc: ['query', field], msg, input: text, ctx: { unknown: unknownName } }],
  })
}

const parseMoments = async ({ from, to }: JournalQuery, { clock }: RouteDeps) => {
  const parseInstant = async (text: string | undefined) =>
    text === undefined ? null : readInstant(text, clock.zone, ['from', 'to'])
  return { from: await parseInstant(from), to: await parseInstant(to) }
}

interface Listener {
  readonly response: Response
  readonly gone: AbortSignal
}

interface AuditQuery extends Pick<JournalQuery, 'after' | 'upto' | 'last' | 'follow'> {
  readonly filter: AuditFilter
}

const streamJournal = async (
  { personas, bus, log, clock }: RouteDeps,
  id: PersonaId,
  query: AuditQuery,
  listener: Listener,
): Promise<void> => {
  const { response, gone: signal } = listener
  const bell = createBell()
  // Subscribed before the first read, so that no fact is missed between the last page and the first
  // notification.
  const unfollow = query.follow
    ? [
        listen(bus.commitsFrom(id), log, bell.ring),
        listen(
          bus.signs,
          log,
          (sign) => (sign.type === 'gone' || sign.type === 'left') && sign.id === id && bell.ring(),
        ),
        clock.every(silence, () => {
          if (response.headersSent && !response.writableNeedDrain) response.write('\n')
        }),
      ]
    : []
  try {
    await sendFacts(personas, id, query, { ...listener, bell })
  } catch (error) {
    // Errors before the first line get their own status. A client that disconnected gets no response.
    if (!response.headersSent || !(signal.aborted || isDeleted(error))) throw error
  } finally {
    for (const leave of unfollow) leave()
  }
  // The client does not read the rest.
  if (response.writableNeedDrain && signal.aborted) response.destroy()
  else response.end()
}

const isDeleted = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.code === 'persona_unknown'

const sendFacts = async (
  personas: RouteDeps['personas'],
  id: PersonaId,
  { after, upto: upTo = Number.MAX_SAFE_INTEGER, last, follow, filter }: AuditQuery,
  { response, gone: signal, bell }: Listener & { readonly bell: Bell },
): Promise<void> => {
  const isShown = createAuditFilter(filter)
  const read: Parameters<typeof findStartOfLast>[0] = async (look) => {
    signal.throwIfAborted()
    return personas.read(id, look)
  }
  let place: AuditPosition = {
    seq: last === undefined ? after : await findStartOfLast(read, { after, upTo, last }, isShown),
  }
  const beginResponse = () => {
    if (response.headersSent) return
    response
      .writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
      .flushHeaders()
  }
  const send = async (text: string): Promise<boolean> => {
    signal.throwIfAborted()
    beginResponse()
    return response.write(text) || isDrainedSoon(response)
  }
  for (;;) {
    const page = await read((reading) => readAuditPage(reading, { after: place, upTo, shows: isShown, send }))
    place = page.place
    beginResponse()
    const { damage } = page
    const lines = damage ? page.lines + damagedLine(damage.seq, damage.message) : page.lines
    if (lines !== '') response.write(lines)
    if (response.writableNeedDrain) await once(response, 'drain', { signal })
    if (damage || (!page.more && (!follow || place.seq >= upTo))) return
    if (!page.more) await unlessAborted(bell.waitForRing(), signal)
  }
}

/** Ms for which the journal stays open for a client that reads. */
const fast = 100

/** Resolves to true if the client reads the sent data within `fast` ms. */
const isDrainedSoon = (response: Response): Promise<boolean> =>
  new Promise((resolve) => {
    const finish = (isTaken: boolean) => {
      clearTimeout(timer)
      response.off('drain', onDrain).off('close', onClose)
      resolve(isTaken)
    }
    const onDrain = () => finish(true)
    const onClose = () => finish(false)
    const timer = setTimeout(onClose, fast)
    response.once('drain', onDrain).once('close', onClose)
  })

/**
 * `kept` and `lost` count facts. `first_lost` is the position of the first lost one. `copy` is the folder
 * with the original journal.
 */
const Salvaged = z
  .object({
    kept: z.int(),
    lost: z.int(),
    first_lost: z.int().nullable(),
    copy: z.string(),
    running: z.boolean(),
  })
  .meta({ id: 'Salvaged' })

export const salvagePersonaRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/salvage',
  summary: 'Copy a damaged journal and continue with the part that verifies',
  description: 'Only for a damaged journal. The copy is stored next to it, and a fact records the loss.',
  tag: 'Health',
  reply: Salvaged,
  refuses: ['persona_unknown', 'not_damaged', 'journal_damaged'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const { loss, copy, running } = await salvageJournal(deps, id)
      return { kept: loss.kept, lost: loss.lost, first_lost: loss.first, copy, running }
    },
})
