/** GET /api/persona/{persona_id}/knowledge */
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { Knowledge, knowledgeView } from '../schema/knowledge-view.ts'

export const getKnowledgeRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/knowledge',
  summary: 'The memory of the persona, and its instructions',
  description: 'All of its memory as documents, and its instructions.',
  tag: 'Memory',
  reply: Knowledge,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id } }) => {
      known(personas, id)
      return personas.read(id, async ({ persona }) => knowledgeView(persona.knowledge))
    },
})
