/** Shows and changes what a user in danger gets, and checks words that are not stored. */
import type { PersonaId } from '../../facts/fact-values.ts'
import { findCountry, listHelpCountries, loadHelp, writeHelp } from '../../packages/care/help.ts'
import type { Care } from '../../projections/self.ts'
import { writeHelpFor } from '../mind/help-offer.ts'
import type { Help } from '../persona/rules/talk.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type CareDeps = Pick<CommandDeps, 'clock' | 'personas'>

export interface CareState extends Care {
  /** The country of the time zone, or null if it is unknown. */
  readonly zoneCountry: string | null
  /** The countries whose help is known. */
  readonly countries: readonly string[]
  /** What the user would get, in both languages. */
  readonly texts: { readonly en: string; readonly de: string }
}

/** Throws Refused: persona_unknown. */
export const readCare = async ({ clock, personas }: CareDeps, id: PersonaId): Promise<CareState> => {
  const { care } = requireListed(personas, id).self
  const table = await loadHelp()
  const zoneCountry = findCountry(clock.zone, table)
  const write = (language: 'en' | 'de') => writeHelp(care.country ?? zoneCountry, language, table)
  return {
    ...care,
    zoneCountry,
    countries: listHelpCountries(table),
    texts: { en: write('en'), de: write('de') },
  }
}

/** Throws Refused: persona_unknown. */
export const setCare = async (deps: CareDeps, id: PersonaId, care: Care): Promise<void> => {
  requireListed(deps.personas, id)
  await deps.personas.execute(id, { type: 'SetCare', ...care }, 'person')
}

/** Stores nothing. Throws Refused: persona_unknown. */
export const checkWords = async (
  { clock, personas }: CareDeps,
  id: PersonaId,
  text: string,
): Promise<Help | null> => {
  const { care } = requireListed(personas, id).self
  return care.help ? writeHelpFor(text, care.country, clock) : null
}
