/** A new recovery phrase, and a diary that it opens. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { stillThere } from './still-there.ts'

type Deps = Pick<CommandDeps, 'diaries' | 'inTurn' | 'newPhrase' | 'personas'>

interface Changed {
  /** 24 words, told this once. */
  readonly phrase: string
  /** The first that they open. */
  readonly diary: KeptDiary
  /** Diaries here that only an older phrase opens. */
  readonly older: number
}

/**
 * `removeOlder`: the diaries that only an older phrase opens go. Refused: persona_unknown, cut_short.
 * JournalDamaged, JournalUnavailable.
 */
export const changePhrase = async (
  { diaries, inTurn, newPhrase, personas }: Deps,
  id: PersonaId,
  { removeOlder }: { readonly removeOlder: boolean },
  gone: AbortSignal,
): Promise<Changed> => {
  known(personas, id)
  return inTurn(id, async () => {
    known(personas, id)
    const { phrase, recipient } = await newPhrase()
    // The diary first: from the moment on that the phrase is in force, it opens something.
    const diary = await diaries.writeFor(id, recipient, gone)
    await inForce(
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
      // Where nobody is told the new words, the old ones must open something.
      stillThere(gone)
      await diaries.removeOthers(id, recipient)
    }
    const older = (await diaries.list(id)).filter((one) => !one.isFor(recipient)).length
    return { phrase, diary, older }
  })
}

/** One that nobody will have the words for is worth nothing. */
const inForce = async (
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
