/** Reads facts of a journal from the daemon's line-based stream. */
import { type Answer, readFailure } from './answer.ts'
import { answerTo, client } from './client.ts'
import { type Shape, toFields, toText } from './shapes.ts'

export type JournalLine = Shape<'AuditLine'>

export interface JournalPart {
  /** Oldest first. */
  readonly lines: readonly JournalLine[]
  /** Describes the damage at which reading stopped; null if there was none. */
  readonly damage: string | null
}

interface LineQuery {
  readonly after?: number
  readonly upto?: number
  readonly from?: string
  readonly to?: string
  readonly type?: string
  readonly q?: string
  readonly last?: number
}

/** Never rejects. */
export const readJournal = async (id: string, query: LineQuery): Promise<Answer<JournalPart>> => {
  const answer = await answerTo(
    client.GET('/api/persona/{persona_id}/journal', {
      params: { path: { persona_id: id }, query },
      parseAs: 'text',
    }),
  )
  if (!answer.ok) return answer
  try {
    return { ok: true, value: toPart(toText(answer.value)) }
  } catch {
    // The daemon stopped during the response.
    return { ok: false, failure: readFailure(null, null) }
  }
}

const toPart = (text: string): JournalPart => {
  const lines: JournalLine[] = []
  let damage: string | null = null
  for (const line of text.split('\n')) {
    if (line === '') continue
    const value = JSON.parse(line) as unknown
    const { damaged } = toFields(value)
    if (damaged === undefined) lines.push(value as JournalLine)
    else damage = toText(toFields(damaged).reason)
  }
  return { lines, damage }
}

/** Returns the line at a sequence number. */
export const lineAt = async (id: string, seq: number): Promise<JournalLine | null> => {
  const answer = await readJournal(id, { after: seq - 1, upto: seq })
  return (answer.ok && answer.value.lines[0]) || null
}

/** Returns the last fact up to a sequence number or an instant. Undefined if there is none. */
export const lastFactAt = async (id: string, moment: string): Promise<Answer<JournalLine | undefined>> => {
  const answer = await readJournal(
    id,
    /^\d+$/.test(moment) ? { upto: Math.max(1, Number(moment)), last: 1 } : { to: moment, last: 1 },
  )
  return answer.ok ? { ok: true, value: answer.value.lines.at(-1) } : answer
}
