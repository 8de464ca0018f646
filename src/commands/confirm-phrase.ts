/** Records that the user has the recovery phrase. The words themselves are never requested. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'personas'>
export type PhraseState = Pick<Self, 'recipient' | 'phraseConfirmed'>

/** Opens no journal. Throws Refused: persona_unknown. */
export const phraseOf = ({ personas }: Deps, id: PersonaId): PhraseState => known(personas, id).self

/**
 * `recipient`: of the confirmed phrase. Throws Refused (persona_unknown, phrase_changed) or
 * JournalUnavailable.
 */
export const confirmPhrase = async (
  { personas }: Deps,
  id: PersonaId,
  recipient: string | undefined,
): Promise<PhraseState> => {
  const { self } = known(personas, id)
  const command = { type: 'ConfirmPhrase', recipient: recipient ?? self.recipient } as const
  return (await personas.execute(id, command, 'person')).persona.self
}
