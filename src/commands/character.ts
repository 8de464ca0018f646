/** Reads and changes the character of a persona, and reads character cards. */
import { readFile } from 'node:fs/promises'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import {
  CardUnreadable,
  type CharacterCard,
  readCharacterCard,
} from '../../packages/history-import/read-character-card.ts'
import { getStarters } from '../persona/character-preset-table.ts'
import { Refused } from '../persona/refusals.ts'
import {
  type CharacterDraft,
  maxCharacterLength,
  maxGreetingLength,
  maxLoreEntries,
  maxLoreLength,
  maxLoreTextLength,
  readCharacter,
  type SetCharacter,
} from '../persona/rules/persona.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'personas'>

interface CharacterView extends CharacterDraft {
  readonly starters: readonly string[]
}

/** Throws Refused: persona_unknown. */
export const getCharacter = ({ personas }: Deps, id: PersonaId): Promise<CharacterView> => {
  requireListed(personas, id)
  return personas.read(id, async ({ persona }) => toView(readCharacter(persona)))
}

/** Throws Refused: persona_unknown, too_long, too_many. */
export const setCharacter = async (
  { personas }: Deps,
  id: PersonaId,
  change: Omit<SetCharacter, 'type'>,
): Promise<CharacterView> => {
  requireListed(personas, id)
  const { persona } = await personas.execute(id, { type: 'SetCharacter', ...change }, 'person')
  return toView(readCharacter(persona))
}

const toView = (character: CharacterDraft): CharacterView => ({
  ...character,
  starters: getStarters(character.text),
})

/** Throws Refused: card_invalid. */
export const readCard = async (path: string): Promise<CharacterCard> => {
  try {
    return await readCharacterCard(await readFile(path), {
      maxText: maxCharacterLength,
      maxGreeting: maxGreetingLength,
      maxEntries: maxLoreEntries,
      maxEntryText: maxLoreTextLength,
      maxLore: maxLoreLength,
    })
  } catch (error) {
    throw error instanceof CardUnreadable
      ? new Refused({ code: 'card_invalid', reason: error.message })
      : error
  }
}
