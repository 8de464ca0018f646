/** Whether somebody has the words that open a persona's diaries. The words themselves are never asked for. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'personas'>
export type PhraseState = Pick<Self, 'recipient' | 'phraseConfirmed'>

/** Refused: persona_unknown. Opens no journal. */
export const phraseOf = ({ personas }: Deps, id: PersonaId): PhraseState => known(personas, id).self

/**
 * `recipient`: whose words they are, where that is said. Refused: persona_unknown, phrase_changed.
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
