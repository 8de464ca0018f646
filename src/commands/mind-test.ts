/** Tests whether a model can be a Mind, and records the result in the history of a persona. */
import type { Organ, PersonaId } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { toMaskedText } from '../../packages/kit/redact.ts'
import type { Models, OrganAsk } from '../../packages/models/models.ts'
import { type Proof, proveMind } from '../../packages/models/prove-mind.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { organRequestFor } from './organ-request.ts'

/** Of the three calls together. A model on this machine may have to be loaded first. */
const testTimeoutMs = 180_000

interface ModelTestDeps {
  readonly models: Pick<Models, 'mind'>
  readonly localModels: Pick<CommandDeps['localModels'], 'forgive'>
}

/** Rejects only with the signal's reason. */
export const testModel = async (
  { models, localModels }: ModelTestDeps,
  organ: OrganAsk,
  signal: AbortSignal,
  timeoutMs = testTimeoutMs,
): Promise<Proof> => {
  if (organ.provider === null && organ.url === null) localModels.forgive(organ.model)
  const limit = AbortSignal.timeout(timeoutMs)
  // A separate cache key keeps the cached prompts of personas.
  const mind = models.mind({ ...organ, cacheKey: 'proof' }, null)
  return proveMind(mind, AbortSignal.any([signal, limit])).catch((error) => {
    if (signal.aborted || !limit.aborted) throw error
    const reason = `"${organ.model}" did not finish the test within ${timeoutMs / 60_000} minutes.`
    return { talks: false, usesTools: null, answersJson: null, tokensPerSecond: null, reason }
  })
}

/** Tests the Mind of a persona. Throws Refused (persona_unknown, model_missing), or the signal's reason. */
export const testMind = async (
  deps: ModelTestDeps & Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  signal: AbortSignal,
): Promise<Proof> => {
  const { personas } = deps
  const mind = requireListed(personas, id).self.organs.thinking
  if (!mind) throw new Refused({ code: 'model_missing', remote: false })
  const proof = await testModel(deps, await organRequestFor(personas, id, mind), signal)
  await recordMindTest(deps, id, mind, proof)
  return proof
}

export const recordMindTest = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  organ: Omit<Organ, 'key'>,
  { talks, usesTools, answersJson, tokensPerSecond, reason }: Proof,
): Promise<void> => {
  const { model, provider, url } = organ
  const result: EventOf<'MindTested'>['result'] = !talks ? 'fails' : usesTools ? 'works' : 'no_tools'
  await personas.execute(
    id,
    {
      type: 'RecordMindTest',
      model,
      provider,
      url,
      result,
      answersJson,
      speed: tokensPerSecond && Math.round(tokensPerSecond * 10) / 10,
      reason: reason === null ? null : toMaskedText(reason),
    },
    'person',
  )
}
