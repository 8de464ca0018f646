/** POST /api/persona/{persona_id}/update */
import * as z from 'zod'
import { Slot, Status } from '../../../journal/facts/fact-values.ts'
import { type Update, updatePersona } from '../../commands/persona.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/caller.ts'

const UpdateBody = z.record(z.string(), z.unknown()).meta({ id: 'PersonaUpdateRequest' })

export const updateRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/update',
  summary: 'Change the status, name or organs. A running agent uses them immediately',
  description: 'Fields that are not sent stay. Organs are checked before anything is stored.',
  tag: 'Personas',
  body: UpdateBody,
  reply: z.object({ status: Status, running: z.boolean() }).meta({ id: 'PersonaUpdated' }),
  refuses: [
    'persona_unknown',
    'status_invalid',
    'organ_invalid',
    'model_missing',
    'address_secret',
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
