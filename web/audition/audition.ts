/** The requests of an audition: two models answer past messages again. */
import { readLines } from '../off-record/event-data.ts'
import { type Answer, type Failure, readFailure } from '../shared/answer.ts'
import type { OrganBody } from '../shared/api.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'

export type AuditionTurns = Shape<'AuditionTurns'>
type Line = Shape<'AuditionLine'>
export type Begun = Extract<Line, { readonly type: 'begun' }>
export type AuditionAnswer = Extract<Line, { readonly type: 'answer' }>
export type Side = AuditionAnswer['side']

export const maxTurns = 10

export const loadTurns = (id: string): Promise<Answer<AuditionTurns>> =>
  answerTo(client.GET('/api/persona/{persona_id}/audition/turns', { params: { path: { persona_id: id } } }))

interface AuditionRequest {
  readonly candidate: OrganBody
  /** Null: the model of the persona. */
  readonly against: OrganBody | null
  readonly turns: readonly number[]
}

/** Resolves to null when all answers arrived, or when the signal was aborted. Never rejects. */
export const runAudition = async (
  id: string,
  { candidate, against, turns }: AuditionRequest,
  signal: AbortSignal,
  onLine: (line: Line) => void,
): Promise<Failure | null> => {
  try {
    const response = await fetch(`/api/persona/${encodeURIComponent(id)}/audition`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ candidate, against, turns }),
      signal,
    })
    if (!response.ok || !response.body) {
      const body: unknown = await response.json().catch(() => null)
      return readFailure(response.status, body, (name) => response.headers.get(name))
    }
    let isDone = false
    for await (const text of readLines(response.body)) {
      const line = JSON.parse(text) as Line
      isDone ||= line.type === 'done'
      onLine(line)
    }
    return isDone ? null : readFailure(null, null)
  } catch {
    return signal.aborted ? null : readFailure(null, null)
  }
}
