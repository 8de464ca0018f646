/** Creates a new recovery phrase and the first diary for it. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { stillThere } from './still-there.ts'

type Deps = Pick<CommandDeps, 'diaries' | 'inTurn' | 'newPhrase' | 'personas'>

interface ChangedPhrase {
  /** 24 words, returned only once. */
  readonly phrase: string
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
  { diaries, inTurn, newPhrase, personas }: Deps,
  id: PersonaId,
  { removeOlder }: { readonly removeOlder: boolean },
  gone: AbortSignal,
): Promise<ChangedPhrase> => {
  known(personas, id)
  return inTurn(id, async () => {
    known(personas, id)
    const { phrase, recipient } = await newPhrase()
    // The diary first, so that the phrase opens one from the start.
    const diary = await diaries.writeFor(id, recipient, gone)
    await dropOnError(
      diary,
      async () => {
        stillThere(gone)
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
      stillThere(gone)
      await diaries.removeOthers(id, recipient)
    }
    const older = (await diaries.list(id)).filter((one) => !one.isFor(recipient)).length
    return { phrase, diary, older }
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
