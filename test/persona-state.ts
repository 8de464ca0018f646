/** The current state of a persona from the routes, in the shape of a moment of its history. */
import * as assert from 'uvu/assert'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, which say what they expect there
export type Answer = any

export type GetJson = (path: string) => Promise<Answer>

export const createGet =
  (url: string): GetJson =>
  async (path) => {
    const response = await fetch(url + path)
    const body = await response.json()
    assert.is(response.status, 200, `${path}: ${JSON.stringify(body)}`)
    return body
  }

/** A range that contains all entries. */
const fullRange = 'start=1971-01-01&end=9998-01-01'

export const readPresent = async (get: GetJson, id: string): Promise<Answer> => {
  const personaPath = `/api/persona/${id}`
  const { personas } = await get('/api/personas')
  const calendar = await get(`${personaPath}/calendar?${fullRange}`)
  const usage = await get(`${personaPath}/usage`)
  return {
    view: toComparable(personas.find((persona: Answer) => persona.id === id)),
    memories: (await get(`${personaPath}/memories`)).memories,
    knowledge: await get(`${personaPath}/knowledge`),
    calendar: calendar.destiny,
    conversation: (await get(`${personaPath}/conversation?limit=50`)).messages,
    days: calendar.history.conversation.slice(-50),
    usage: getUsage(usage),
  }
}

/** Returns the state at a past moment. */
export const readPast = async (get: GetJson, id: string, position: number | string): Promise<Answer> => {
  const moment = await get(`/api/persona/${id}/history?at=${encodeURIComponent(position)}`)
  const { persona, status, memories, knowledge, calendar, conversation, days, usage } = moment
  assert.is(persona.status, status)
  return {
    view: toComparable({
      ...persona,
      thinking: { ...persona.thinking, name: persona.base_model },
      channels: persona.channels.map(({ type, name, verified_at }: Answer) => ({
        type,
        name,
        verified: verified_at !== null,
      })),
    }),
    memories,
    knowledge,
    calendar: { schedule: calendar.schedule, reminder: calendar.reminder },
    conversation,
    days,
    usage: getUsage(usage),
  }
}

const getUsage = ({ total, organs, models, causes, days }: Answer) => ({
  total,
  organs,
  models,
  causes,
  days,
})

const slots = ['thinking', 'eye', 'ear', 'mouth', 'imagination', 'teacher', 'researcher'] as const

/** Returns the fields that the list and the history have in common. */
const toComparable = (persona: Answer): Answer => ({
  ...Object.fromEntries(
    slots.map((slot) => {
      const organ = persona[slot]
      return [slot, organ && { name: organ.name, provider: organ.provider, url: organ.url }]
    }),
  ),
  name: persona.name,
  status: persona.status,
  birthday: persona.birthday,
  base_model: persona.base_model,
  channels: persona.channels.filter(({ type }: Answer) => type !== 'web'),
})
