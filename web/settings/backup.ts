/** What the backup of a persona asks of the daemon. */
import { type Answer, failureOf } from '../shared/answer.ts'
import { answerTo, client, type Shape } from '../shared/client.ts'

export type Renewed = Shape<'PhraseChanged'>

const exportPath = (id: string): string => `/api/persona/${encodeURIComponent(id)}/export`

/** Whether it can be exported now: a browser that saves a file tells nobody why there is none. */
export const mayExport = async (id: string): Promise<Answer<true>> => {
  const looking = new AbortController()
  try {
    const response = await fetch(exportPath(id), { signal: looking.signal })
    if (response.ok) return { ok: true, value: true }
    return { ok: false, failure: failureOf(response.status, await response.json().catch(() => null)) }
  } catch {
    return { ok: false, failure: failureOf(null, null) }
  } finally {
    looking.abort()
  }
}

/** The browser saves it as it comes: nothing of it is held in the page. */
export const download = (id: string): void => {
  const link = document.createElement('a')
  link.href = exportPath(id)
  link.download = ''
  link.click()
}

export const renew = (id: string, removeOlder: boolean): Promise<Answer<Renewed>> =>
  answerTo<Renewed>(
    client.POST('/api/persona/{persona_id}/phrase', {
      params: { path: { persona_id: id }, query: { remove_older: removeOlder } },
    }),
  )
