/** Routes that list, create, update and delete personas. */

import * as z from 'zod'
import { InitiativeLevel, type PersonaId, Slot, Status } from '../../../facts/fact-values.ts'
import type { Self } from '../../../projections/self.ts'
import { toPersonaView } from '../../../projections/view.ts'
import type { PersonaLocations } from '../../cluster/persona-location.ts'
import { createPersona, deletePersona, type Update, updatePersona } from '../../commands/persona.ts'
import type { RosterRow } from '../../persona/persona-store.ts'
import { alreadySent, type Deps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { sendCompressedJson } from '../server/json-response.ts'
import { NewCharacter, parseCharacter } from './character.ts'
import {
  declaredFields,
  keyRefusals,
  PersonaList,
  PersonaRecordShape,
  parseOrgans,
  parseTokens,
} from './persona-shapes.ts'

export const listPersonasRoute = route({
  method: 'get',
  path: '/api/personas',
  summary: 'All personas, the oldest first',
  description: 'Each persona, whether it is running, and its model.',
  tag: 'Personas',
  reply: PersonaList,
  handle: (deps) => {
    const list = createList(deps)
    return async ({ request, response }) => {
      await deps.personas.ready
      await sendCompressedJson(request, response, list())
      return alreadySent
    }
  },
})

interface CachedView {
  readonly self: Self
  readonly running: boolean
  readonly webOpen: boolean
  readonly text: string
}

/**
 * Returns the list as JSON. The view of a persona is cached until its state, which is never changed in place,
 * is replaced.
 */
const createList = ({ personas, agents, web, config, elsewhere, copy }: Deps): (() => Buffer) => {
  const cache = new Map<PersonaId, CachedView>()
  const end = copy ? `],"copy":${JSON.stringify(copy)}}` : ']}'
  let joinedList = Buffer.from(`{"personas":[${end}`)
  let shownCount = 0

  const refresh = ({ self }: RosterRow): boolean => {
    const isRunning = agents.isRunning(self.id)
    const webOpen = web.isOpen(self.id)
    const old = cache.get(self.id)
    if (old && old.self === self && old.running === isRunning && old.webOpen === webOpen) return false
    const text = JSON.stringify(toPersonaView(self, { running: isRunning, webOpen }, config.urls))
    cache.set(self.id, { self, running: isRunning, webOpen, text })
    return true
  }

  const listOwn = () => {
    const all = personas.all()
    // Uses `filter`, because `some` would stop at the first change.
    const hasChanged = all.filter(refresh).length > 0
    if (!hasChanged && all.length === shownCount) return joinedList
    if (cache.size > all.length) forget(cache, all)
    joinedList = Buffer.from(
      `{"personas":[${all.map(({ self }) => cache.get(self.id)?.text).join(',')}${end}`,
    )
    shownCount = all.length
    return joinedList
  }
  /** Adds the personas that other daemons of the cluster host. */
  const listAll = ({ getOtherSummaries }: PersonaLocations) => {
    listOwn()
    const ownViews = personas
      .all()
      .map(({ self: { id, created } }) => ({ id, created, text: cache.get(id)?.text }))
    const otherViews = [...getOtherSummaries()].flatMap(([id, { created, view }]) =>
      personas.getRow(id) ? [] : [{ id, created, text: JSON.stringify(view) }],
    )
    const all = [...ownViews, ...otherViews].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    return Buffer.from(`{"personas":[${all.map(({ text }) => text).join(',')}]}`)
  }
  return () => (elsewhere ? listAll(elsewhere) : listOwn())
}

const forget = (cache: Map<PersonaId, CachedView>, all: readonly RosterRow[]): void => {
  const ids = new Set(all.map(({ self }) => self.id))
  for (const id of cache.keys()) if (!ids.has(id)) cache.delete(id)
}

const text = z.string().nullish()

const PersonaCreateRequest = z
  .object({
    name: z.string(),
    thinking_model: z.string(),
    thinking_url: text,
    thinking_provider: text,
    thinking_api_key: text,
    thinking_api_key_from: text,
    ...declaredFields(text),
    character: NewCharacter.nullish().describe(
      'Who it is and how it speaks: a text, the id of an offered character, or a card as it was read.',
    ),
    initiative: InitiativeLevel.nullish().describe(
      'How often it may write by itself: off (default), gentle or lively.',
    ),
    initiative_zone: text.describe(
      'IANA name. The time zone of its quiet hours. Default: that of the daemon.',
    ),
  })
  .meta({ id: 'PersonaCreateRequest' })

export const createRoute = route({
  method: 'post',
  path: '/api/persona/create',
  summary: 'Create a persona and start it',
  description:
    'Its organs are checked before anything is stored. `eye_api_key_from: "thinking"` gives the Eye the key of the Mind, if both have the same provider and address. The response contains the recovery phrase, which is never returned again.',
  tag: 'Personas',
  body: PersonaCreateRequest,
  reply: z
    .object({
      persona: PersonaRecordShape,
      recovery_phrase: z.string().describe('24 words. Returned only once.'),
      recipient: z.string().describe('Identifies the phrase: its public key.'),
    })
    .meta({ id: 'PersonaCreated' }),
  refuses: [
    'provider_unknown',
    'model_missing',
    'address_secret',
    ...keyRefusals,
    'channel_invalid',
    'model_failed',
    'too_long',
    'too_many',
    'zone_unknown',
    'cut_short',
    'created_not_started',
  ],
  handle:
    (deps) =>
    ({ body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const organs = parseOrgans((slot, part) => body[`${slot}_${part}`])
        const { persona, phrase, recipient } = await createPersona(
          deps,
          {
            name: body.name,
            organs,
            tokens: parseTokens(body),
            character: parseCharacter(body.character),
            ...(body.initiative && {
              initiative: { level: body.initiative, zone: body.initiative_zone ?? null },
            }),
          },
          signal,
        )
        return { persona, recovery_phrase: phrase, recipient }
      }),
})

const UpdateBody = z.record(z.string(), z.unknown()).meta({ id: 'PersonaUpdateRequest' })

export const updateRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/update',
  summary: 'Change the status, name or organs. A running agent uses them immediately',
  description:
    'Fields that are not sent stay. Organs are checked before anything is stored. An organ is an object with `model`, `provider`, `url` and `api_key`; `api_key_from: "thinking"` instead of a key gives it that of the Mind, if both have the same provider and address.',
  tag: 'Personas',
  body: UpdateBody,
  reply: z.object({ status: Status, running: z.boolean() }).meta({ id: 'PersonaUpdated' }),
  refuses: [
    'persona_unknown',
    'status_invalid',
    'organ_invalid',
    'profile_invalid',
    'model_missing',
    'address_secret',
    ...keyRefusals,
    'provider_unknown',
    'model_failed',
    'cut_short',
    'updated_not_settled',
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body, response }) =>
      withAbortSignal(response, deps.closing, (signal) => updatePersona(deps, id, readUpdate(body), signal)),
})

/** Contains only the fields that were sent. The rules check their types. */
const readUpdate = (body: z.infer<typeof UpdateBody>): Update => ({
  ...('status' in body ? { status: body.status } : {}),
  ...('name' in body ? { name: body.name } : {}),
  ...('idle_timeout' in body ? { idleTimeout: body.idle_timeout } : {}),
  organs: Object.fromEntries(Slot.options.map((slot) => [slot, body[slot]] as const)),
  clear: Slot.options.filter((slot) => slot !== 'thinking' && body[`clear_${slot}`] === true),
})

export const deleteRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete the persona and all its data permanently',
  description: 'Its last diary stays for 30 days, unless `purge` is set.',
  tag: 'Personas',
  query: z.object({
    force: z
      .boolean()
      .optional()
      .describe(
        'Delete it even if the runtime of its local model cannot be reached, or its journal is damaged.',
      ),
    purge: z
      .boolean()
      .optional()
      .describe(
        'Delete its diaries, too. Otherwise the last one stays for 30 days, and only its recovery phrase opens it.',
      ),
  }),
  reply: z.null(),
  refuses: ['persona_unknown', 'model_failed', 'damaged_unforced', 'not_deleted'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { force = false, purge = false } }) => {
      await deletePersona(deps, id, { force, purge })
      return null
    },
})
