/** Reads and changes the character of a persona, and reads character cards. */
import { readFile } from 'node:fs/promises'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { entryAt } from '../../journal/log/keys.ts'
import {
  CardUnreadable,
  type CharacterCard,
  readCharacterCard,
} from '../../packages/history-import/read-character-card.ts'
import { readVoiceLine } from '../mind/prompt/voice-lines.ts'
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

/** A message that is an example line of the character. */
interface MarkedLine {
  readonly message: Seq
  /** Epoch ms and minutes of offset. */
  readonly at: number
  readonly offset: number
  /** As the prompt contains it. */
  readonly text: string
  /** True if the message is not shown any more. Then prompts do not contain it either. */
  readonly hidden: boolean
}

/** In the order in which they were marked. Throws Refused: persona_unknown. */
export const listLines = ({ personas }: Deps, id: PersonaId): Promise<readonly MarkedLine[]> => {
  requireListed(personas, id)
  return personas.read(id, async ({ persona, journal }) => {
    const { self, talk } = persona
    const lines = await Promise.all(
      self.voice.map(async ({ message }) => {
        const [entry, line] = [await entryAt(journal, message), await readVoiceLine(journal, message)]
        const hidden = talk.hidden[message] !== undefined
        return entry && line ? [{ message, at: entry.at, offset: entry.offset, text: line.text, hidden }] : []
      }),
    )
    return lines.flat()
  })
}

/** Throws Refused: persona_unknown, message_unknown, message_not_spoken, too_many. */
export const markLine = async (
  { personas }: Deps,
  id: PersonaId,
  message: Seq,
  marked: boolean,
): Promise<void> => {
  requireListed(personas, id)
  await personas.read(id, async ({ journal }) => {
    const entry = await entryAt(journal, message)
    const isMessage = entry?.type === 'MessageHeard' || entry?.type === 'MessageSpoken'
    if (!isMessage || entry.erased) throw new Refused({ code: 'message_unknown' })
    if (!(await readVoiceLine(journal, message))) throw new Refused({ code: 'message_not_spoken' })
  })
  await personas.execute(id, { type: 'MarkLine', message, marked }, 'person')
}

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
