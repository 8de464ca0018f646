/** The requests about characters and character cards. */
import { type Answer, readFailure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Shape } from '../shared/shapes.ts'

export type Character = Omit<Shape<'Character'>, 'starters'>
export type Card = Shape<'CharacterCard'>

/** The daemon's limit for the text, in UTF-16 units. */
export const maxTextLength = 4000

/** The types of facts that change the character. */
export const relevantFacts = /^CharacterSet$|^FactsErased$|^PersonaRestored$/

export const loadPresets = () => new Loaded(() => answerTo(client.GET('/api/character/presets')))

export const loadCharacter = (id: string) =>
  new Loaded(() =>
    answerTo(client.GET('/api/persona/{persona_id}/character', { params: { path: { persona_id: id } } })),
  )

export const saveCharacter = (
  id: string,
  { text, lore, card }: Pick<Character, 'text' | 'lore' | 'card'>,
): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.PUT('/api/persona/{persona_id}/character', {
      params: { path: { persona_id: id } },
      body: { text, lore: lore.map(({ keys, text }) => ({ keys: [...keys], text })), card },
    }),
  )

export type MarkedLines = Shape<'MarkedLines'>

export const loadLines = (id: string): Promise<Answer<MarkedLines>> =>
  answerTo(client.GET('/api/persona/{persona_id}/character/lines', { params: { path: { persona_id: id } } }))

/** Makes a message an example line of the character, or ends that. */
export const markLine = (id: string, message: number, isMarked: boolean): Promise<Answer<MarkedLines>> => {
  const params = { params: { path: { persona_id: id, id: String(message) } } }
  return answerTo(
    isMarked
      ? client.PUT('/api/persona/{persona_id}/character/lines/{id}', params)
      : client.DELETE('/api/persona/{persona_id}/character/lines/{id}', params),
  )
}

export const readCard = async (file: File): Promise<Answer<Card>> => {
  const form = new FormData()
  form.append('card', file, file.name)
  try {
    const response = await fetch('/api/character/card', { method: 'POST', body: form })
    const body: unknown = await response.json().catch(() => null)
    return response.ok
      ? { ok: true, value: body as Card }
      : { ok: false, failure: readFailure(response.status, body) }
  } catch {
    return { ok: false, failure: readFailure(null, null) }
  }
}
