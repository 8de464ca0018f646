/** Shows personas as models of the OpenAI-compatible API. */
import * as z from 'zod'
import type { Self } from '../../../projections/self.ts'
import { HttpRefused } from '../refused.ts'
import type { Deps } from '../route.ts'

export const Model = z
  .object({
    id: z.string().describe('The id of a running persona.'),
    object: z.literal('model'),
    created: z.int().describe('Seconds since 1970.'),
    owned_by: z.literal('daimon'),
  })
  .meta({ id: 'Model' })

export const ModelList = z
  .object({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList' })

type RunningPersona = Pick<Self, 'id' | 'name' | 'created'>

export const toModel = ({ id, created }: RunningPersona): z.input<typeof Model> => ({
  id,
  object: 'model',
  created: Math.floor(created / 1000),
  owned_by: 'daimon',
})

type ModelDeps = Pick<Deps, 'agents' | 'personas' | 'elsewhere'>

/** Returns the running personas, including those that other daemons host. */
export const listRunning = ({ agents, personas, elsewhere }: ModelDeps): readonly RunningPersona[] => [
  ...personas.all().flatMap(({ self }) => (agents.isRunning(self.id) ? [self] : [])),
  ...[...(elsewhere?.getOtherSummaries() ?? [])].flatMap(([id, { created, view }]) =>
    view.running && !personas.getRow(id) ? [{ id, created, name: view.name }] : [],
  ),
]

/**
 * Finds a running persona by its id, or by its name if no other running persona has it. Throws
 * model_not_found.
 */
export const findModel = async (deps: ModelDeps, model: string): Promise<RunningPersona> => {
  const { agents, personas } = deps
  const self = personas.getRow(model)?.self
  if (self && (await agents.awake(self.id))) return self
  const runningPersona = self ? undefined : listRunning(deps).find(({ id }) => id === model)
  if (runningPersona) return runningPersona
  const name = model.trim().toLowerCase()
  const candidates = personas
    .all()
    .filter((persona) => persona.self.wanted && persona.self.name.trim().toLowerCase() === name)
  await Promise.all(candidates.map((persona) => agents.awake(persona.self.id)))
  const [match, secondMatch] = self
    ? []
    : listRunning(deps).filter((persona) => persona.name.trim().toLowerCase() === name)
  if (match && !secondMatch) return match
  throw new HttpRefused({ code: 'model_not_found', why: whyNot(model, self, secondMatch !== undefined) })
}

const whyNot = (model: string, self: Self | undefined, hasSeveral: boolean): string => {
  const shownModel = JSON.stringify(model.length > 100 ? `${model.slice(0, 100).toWellFormed()}…` : model)
  if (self) return `The persona ${shownModel} is not running. Start it, and try again.`
  if (hasSeveral)
    return `Several running personas are called ${shownModel}. Ask by id: GET /v1/models lists them.`
  return `There is no running persona ${shownModel}. GET /v1/models lists the running ones.`
}
