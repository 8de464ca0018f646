/** Uploads a diary, from which the daemon restores a persona. */
import { type Answer, readFailure } from '../shared/answer.ts'
import type { OrganBody } from '../shared/api.ts'
import { type Slot, toFields, toText } from '../shared/shapes.ts'
import { restoreText } from '../strings/restore-words.ts'
import { text } from '../strings/strings.ts'
import { type UploadOptions, upload } from '../talk/upload.ts'

export interface Return {
  readonly diary: File
  readonly phrase: string
  readonly organs: Readonly<Partial<Record<Slot, OrganBody>>>
  readonly tokens: Readonly<Record<string, string>>
}

/** Returns the daemon's name of an organ's field. The Mind's fields have no prefix. */
export const fieldName = (slot: Slot, part: string): string =>
  slot === 'thinking' ? part : `${slot}_${part}`

/** Resolves to the id of the restored persona. */
export const restoreFromDiary = async (
  { diary, phrase, organs, tokens }: Return,
  options: UploadOptions,
): Promise<Answer<string>> => {
  const form = new FormData()
  form.append('phrase', phrase)
  for (const [slot, organ] of Object.entries(organs))
    for (const [part, value] of Object.entries(organ))
      if (value) form.append(fieldName(slot as Slot, part), value)
  for (const [name, token] of Object.entries(tokens)) form.append(name, token)
  form.append('diary', diary, diary.name)
  const { status, body, getHeader } = await upload('/api/persona/migrate', form, {}, options)
  if (status === null)
    return { ok: false, failure: { status, message: restoreText.restore.broke, fields: {} } }
  if (status >= 400) return { ok: false, failure: readFailure(status, parseJson(body), getHeader) }
  const id = toText(toFields(toFields(parseJson(body)).persona).id)
  return id
    ? { ok: true, value: id }
    : { ok: false, failure: { status, message: text.unreadable, fields: {} } }
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
