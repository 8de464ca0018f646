/** Loads the diagnosis for the settings. */
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Shape } from '../shared/shapes.ts'

export type Diagnosis = Shape<'Diagnosis'>

export const loadDiagnosis = (id: string): Loaded<Diagnosis> =>
  new Loaded<Diagnosis>(() =>
    answerTo(client.GET('/api/persona/{persona_id}/diagnose', { params: { path: { persona_id: id } } })),
  )

/** The types of facts that can change the diagnosis. */
export const relevantFacts =
  /^(?:Woke|Stopped|WakingFailed|StatusSet|IdleTimeoutSet|MindTested|Organ\w+|Channel\w+|Delivered|DeliveryFailed|PhraseChanged|DiaryWritten|PersonaRestored)$/
