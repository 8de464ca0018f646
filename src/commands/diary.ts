/** Changes the recovery phrase, and records that the user has it. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { KeptDiary } from '../../home/kept-diaries.ts'
import type { Self } from '../../projections/self.ts'
import type { RecoveryPhrase } from '../persona/phrase.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, throwIfDisconnected } from './lifecycle.ts'

type ChangePhraseDeps = Pick<CommandDeps, 'diaries' | 'inTurn' | 'newPhrase' | 'personas'>

interface ChangedPhrase extends RecoveryPhrase {
  /** The first diary for the new phrase. */
  readonly diary: KeptDiary
  /** Number of diaries here that need an older phrase. */
  readonly older: number
}

/**
 * `removeOlder`: also deletes the diaries for older phrases. Throws Refused (persona_unknown, cut_short),
 * JournalDamaged or JournalUnavailable.
 */
export const changePhrase = async (
  { diaries, inTurn, newPhrase, personas }: ChangePhraseDeps,
  id: PersonaId,
  { removeOlder }: { readonly removeOlder: boolean },
  disconnectSignal: AbortSignal,
): Promise<ChangedPhrase> => {
  requireListed(personas, id)
  return inTurn(id, async () => {
    requireListed(personas, id)
    const { phrase, recipient } = await newPhrase()
    // The diary first, so that the phrase opens one from the start.
    const diary = await diaries.writeFor(id, recipient, disconnectSignal)
    await dropOnError(
      diary,
      async () => {
        throwIfDisconnected(disconnectSignal)
        await personas.execute(
          id,
          { type: 'ChangePhrase', recipient, upTo: diary.seq, bytes: diary.bytes },
          'person',
        )
      },
      diaries.drop,
    )
    if (removeOlder) {
      // If the client is gone, it never gets the new phrase and the old diaries must stay.
      throwIfDisconnected(disconnectSignal)
      await diaries.removeOthers(id, recipient)
    }
    const olderCount = (await diaries.list(id)).filter((diary) => !diary.isFor(recipient)).length
    return { phrase, recipient, diary, older: olderCount }
  })
}

/** No one will have the phrase for the diary then. */
const dropOnError = async (
  diary: KeptDiary,
  act: () => Promise<unknown>,
  drop: (diary: KeptDiary) => Promise<void>,
): Promise<void> => {
  try {
    await act()
  } catch (error) {
    await drop(diary).catch(() => undefined)
    throw error
  }
}

type PhraseOfDeps = Pick<CommandDeps, 'personas'>
export type PhraseState = Pick<Self, 'recipient' | 'phraseConfirmed'>

/** Opens no journal. Throws Refused: persona_unknown. */
export const getPhraseState = ({ personas }: PhraseOfDeps, id: PersonaId): PhraseState =>
  requireListed(personas, id).self

/**
 * `recipient`: of the confirmed phrase. Throws Refused (persona_unknown, phrase_changed) or
 * JournalUnavailable.
 */
export const confirmPhrase = async (
  { personas }: PhraseOfDeps,
  id: PersonaId,
  recipient: string | undefined,
): Promise<PhraseState> => {
  const { self } = requireListed(personas, id)
  const command = { type: 'ConfirmPhrase', recipient: recipient ?? self.recipient } as const
  return (await personas.execute(id, command, 'person')).persona.self
}
