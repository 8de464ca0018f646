/** The requests of the skills section. */
import { type Answer, readFailure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Shape } from '../shared/shapes.ts'

export type Skill = Shape<'Skill'>
type AddedSkill = Shape<'AddedSkill'>

/** The types of facts that change the skills. */
export const relevantFacts = /^Skill|^PersonaRestored$/

const path = (id: string) => ({ params: { path: { persona_id: id } } })
const pathParams = (id: string, name: string) => ({ params: { path: { persona_id: id, name } } })

export const loadSkills = (id: string) =>
  new Loaded(() => answerTo(client.GET('/api/persona/{persona_id}/skills', path(id))))

export const loadSkill = (id: string, name: string) =>
  new Loaded(() => answerTo(client.GET('/api/persona/{persona_id}/skills/{name}', pathParams(id, name))))

/** Adds a skill from a file, or an offered one by name. */
export const add = async (
  id: string,
  source: { skill: File } | { offered: string },
): Promise<Answer<AddedSkill>> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(source)) form.append(name, value)
  try {
    const response = await fetch(`/api/persona/${encodeURIComponent(id)}/skills`, {
      method: 'POST',
      body: form,
    })
    const body: unknown = await response.json().catch(() => null)
    return response.ok
      ? { ok: true, value: body as AddedSkill }
      : { ok: false, failure: readFailure(response.status, body, (name) => response.headers.get(name)) }
  } catch {
    return { ok: false, failure: readFailure(null, null) }
  }
}

/** `sha256`: the hash of the reviewed version. */
export const enable = (id: string, name: string, sha256: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.PATCH('/api/persona/{persona_id}/skills/{name}', {
      ...pathParams(id, name),
      body: { enabled: true, sha256 },
    }),
  )

export const disable = (id: string, name: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.PATCH('/api/persona/{persona_id}/skills/{name}', {
      ...pathParams(id, name),
      body: { enabled: false },
    }),
  )

export const remove = (id: string, name: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(client.DELETE('/api/persona/{persona_id}/skills/{name}', pathParams(id, name)))
