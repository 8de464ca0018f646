/** GET /api/persona/{persona_id}/diagnose */

import { version } from '../../../packages/kit/version.ts'
import { known } from '../../commands/lifecycle.ts'
import { diagnose as examine } from '../../health/diagnosis.ts'
import { route } from '../route.ts'
import { Diagnosis } from '../schema/shapes.ts'

export const diagnoseRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/diagnose',
  summary: 'Diagnose the persona: the context of its Mind, its last 24 hours, its organs, its journal',
  description: 'Calls no model. Works even if the journal is damaged.',
  tag: 'Health',
  reply: Diagnosis,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      ...(await examine(deps, id, known(deps.personas, id))),
      version,
    }),
})
