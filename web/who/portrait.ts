/** The requests about the portrait of a persona. */
import { type Answer, readFailure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { words } from '../strings/welcome-words.ts'
import { toPortrait } from './picture.ts'

export type PortraitSource = 'file' | 'card' | 'drawing'

const toPath = (id: string) => `/api/persona/${encodeURIComponent(id)}/portrait`

/** Resizes the picture and makes it the portrait. */
export const savePortrait = async (
  id: string,
  picture: Blob,
  source: PortraitSource,
): Promise<Answer<unknown>> => {
  const portrait = await toPortrait(picture)
  if (!portrait)
    return { ok: false, failure: { status: null, message: words.portrait.unreadable, fields: {} } }
  const form = new FormData()
  form.append('portrait', portrait, portrait.type === 'image/webp' ? 'portrait.webp' : 'portrait.png')
  form.append('source', source)
  return request(toPath(id), { method: 'PUT', body: form }, (response) => response.json())
}

export const removePortrait = (id: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.DELETE('/api/persona/{persona_id}/portrait', { params: { path: { persona_id: id } } }),
  )

/** Returns the drawn picture, which is not stored. */
export const drawPortrait = (id: string, signal: AbortSignal): Promise<Answer<Blob>> =>
  request(
    `${toPath(id)}/draw`,
    { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, signal },
    (response) => response.blob(),
  )

const request = async <T>(
  path: string,
  options: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<Answer<T>> => {
  try {
    const response = await fetch(path, options)
    if (response.ok) return { ok: true, value: await read(response) }
    const body: unknown = await response.json().catch(() => null)
    return { ok: false, failure: readFailure(response.status, body, (name) => response.headers.get(name)) }
  } catch {
    return { ok: false, failure: readFailure(null, null) }
  }
}
