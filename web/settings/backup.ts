/** The requests of the backup section. */
import { type Answer, readFailure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'

export type RenewedPhrase = Shape<'PhraseChanged'>

const exportPath = (id: string): string => `/api/persona/${encodeURIComponent(id)}/export`

/** Checks if an export is possible now, because a browser shows no error of a download. */
export const mayExport = async (id: string): Promise<Answer<true>> => {
  const aborter = new AbortController()
  try {
    const response = await fetch(exportPath(id), { signal: aborter.signal })
    if (response.ok) return { ok: true, value: true }
    const body: unknown = await response.json().catch(() => null)
    return { ok: false, failure: readFailure(response.status, body, (name) => response.headers.get(name)) }
  } catch {
    return { ok: false, failure: readFailure(null, null) }
  } finally {
    aborter.abort()
  }
}

/** Lets the browser stream the file to disk instead of loading it into the page. */
export const download = (id: string): void => {
  const link = document.createElement('a')
  link.href = exportPath(id)
  link.download = ''
  link.click()
}

export const renew = (id: string, removeOlder: boolean): Promise<Answer<RenewedPhrase>> =>
  answerTo<RenewedPhrase>(
    client.POST('/api/persona/{persona_id}/phrase', {
      params: { path: { persona_id: id }, query: { remove_older: removeOlder } },
    }),
  )
