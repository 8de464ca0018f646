/** Migrate: a persona is brought back from its diary, with organs declared anew, and woken. */
import type { Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { OpenedDiary } from '../diary/diary.ts'
import { DiaryUnopened } from '../diary/unopened.ts'
import { readPhrase, recipientFor } from '../persona/phrase.ts'
import { Refused } from '../persona/refusals.ts'
import type { NewChannel } from '../persona/rules/channels.ts'
import { decide } from '../persona/rules/decide.ts'
import type { DeclaredOrgans } from '../persona/rules/self.ts'
import { checkTokens, type Tokens, type WantedChannel, withTokens } from './bot-tokens.ts'
import type { CommandDeps } from './command-deps.ts'
import { recordFor, type Wanted, wantedAnew } from './organ-keys.ts'
import { declaredWishes, keylessOf, type OrganFields } from './organ-wishes.ts'
import { prepareOrgans, saveOrgans } from './save-organs.ts'
import { stillThere } from './still-there.ts'

export interface Migration {
  /** Of the diary on disk. */
  readonly path: string
  readonly phrase: string
  readonly organs: Readonly<Record<Slot, OrganFields>>
  readonly tokens: Tokens
}

/**
 * Refused: as `declaredWishes`, not_a_diary, phrase_mistyped, other_phrase, diary_damaged, diary_newer,
 * histories_parted, damaged_here, channel_invalid, cut_short, migrated_not_started. ModelError.
 */
export const migratePersona = async (
  deps: CommandDeps,
  { path, phrase, organs, tokens }: Migration,
  gone: AbortSignal,
): Promise<PersonaRecord> => {
  const wishes = declaredWishes(organs)
  const onPaper = decide(undefined, {
    type: 'CreatePersona',
    id: '',
    name: '',
    birthday: '',
    recipient: '',
    organs: keylessOf(wishes),
  })
  if ('refused' in onPaper) throw new Refused(onPaper.refused)
  const { diary, recipient } = await opened(deps, path, phrase, gone)
  try {
    const { id } = diary.manifest.persona
    await deps.personas.previewRestore(id, unpacked(diary))
    const bots = await checkTokens(deps, tokens, gone)
    const wanted = wantedAnew(wishes)
    await prepareOrgans(deps, wanted, gone)
    return await deps.inTurn(id, () => restored(deps, { diary, recipient, wanted, bots }, gone))
  } finally {
    await diary.drop()
  }
}

interface Coming {
  readonly diary: OpenedDiary
  /** Whom its diaries are sealed for from now on. */
  readonly recipient: string
  readonly wanted: readonly Wanted[]
  readonly bots: readonly WantedChannel[]
}

const unpacked = ({ folder, manifest }: OpenedDiary) => ({ folder, head: manifest.head })

/** What kind of file, then the words, then all of it. Nothing is derived from words that are mistyped. */
const opened = async (
  { diaries, identityOf }: CommandDeps,
  path: string,
  typed: string,
  gone: AbortSignal,
) => {
  if ((await diaries.kindOf(path)) !== 'diary') throw new Refused({ code: 'not_a_diary' })
  const read = await readPhrase(typed)
  if (read.fault) throw new Refused({ code: 'phrase_mistyped', fault: read.fault })
  const identity = await identityOf(read.entropy)
  try {
    return { diary: await diaries.open(path, identity, gone), recipient: await recipientFor(identity) }
  } catch (error) {
    stillThere(gone)
    throw error instanceof DiaryUnopened ? new Refused({ code: troubles[error.code] }) : error
  }
}

const troubles = {
  not_a_diary: 'not_a_diary',
  other_phrase: 'other_phrase',
  damaged: 'diary_damaged',
  newer: 'diary_newer',
} as const

/** In its turn: nobody else changes it meanwhile. */
const restored = async (
  deps: CommandDeps,
  { diary, recipient, wanted, bots }: Coming,
  gone: AbortSignal,
): Promise<PersonaRecord> => {
  const { agents, config, diaries, personas } = deps
  const { persona, head, made } = diary.manifest
  const { id } = persona
  const bringIn = (organs: DeclaredOrgans, channels: readonly NewChannel[]) =>
    agents.rest(
      id,
      async () => {
        await diaries.cut(id)
        return personas.restore(id, unpacked(diary), {
          ...{ type: 'RestorePersona', made: Date.parse(made), upTo: head.seq, recipient, organs, channels },
        })
      },
      // Once it is restored, its commit wakes it.
      'on failure',
    )
  const whose = personas.listed(id)?.self ?? { id, organs: {} }
  const { persona: back } = await saveOrgans(deps, whose, wanted, gone, (organs) =>
    withTokens(deps, id, bots, (channels) => bringIn(organs, channels)),
  )
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'migrated_not_started', reason: failed })
  return recordFor(personas, personas.listed(id)?.self ?? back.self, config.urls)
}
