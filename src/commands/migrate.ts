/** Restores a persona from a diary with new organs, and wakes it. */
import type { Slot } from '../../facts/fact-values.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { OpenedDiary } from '../diary/diary.ts'
import { DiaryUnopened } from '../diary/unopened.ts'
import { readPhrase, recipientFor } from '../persona/phrase.ts'
import { Refused } from '../persona/refusals.ts'
import type { NewChannel } from '../persona/rules/channels.ts'
import { decide } from '../persona/rules/decide.ts'
import type { DeclaredOrgans } from '../persona/rules/persona.ts'
import { checkTokens, endingSessions, type Tokens, type WantedChannel, withTokens } from './channels.ts'
import type { CommandDeps } from './command-deps.ts'
import { throwIfDisconnected } from './lifecycle.ts'
import {
  declaredWishes,
  type OrganFields,
  organsWithNewKeys,
  type RequestedOrgan,
  recordFor,
  removeKeys,
} from './organ-request.ts'
import { prepareOrgans, saveOrgans } from './organs.ts'

export interface Migration {
  /** Path of the diary. */
  readonly path: string
  readonly phrase: string
  readonly organs: Readonly<Record<Slot, OrganFields>>
  readonly tokens: Tokens
}

/**
 * Throws Refused (as `declaredWishes`, not_a_diary, phrase_mistyped, other_phrase, diary_damaged,
 * diary_newer, histories_parted, damaged_here, channel_invalid, cut_short, migrated_not_started) or
 * ModelError.
 */
export const migratePersona = async (
  deps: CommandDeps,
  { path, phrase, organs, tokens }: Migration,
  disconnectSignal: AbortSignal,
): Promise<PersonaRecord> => {
  const wishes = declaredWishes(organs)
  const dryRun = decide(undefined, {
    type: 'CreatePersona',
    id: '',
    name: '',
    birthday: '',
    recipient: '',
    organs: removeKeys(wishes),
  })
  if ('refused' in dryRun) throw new Refused(dryRun.refused)
  const { diary, recipient } = await openDiary(deps, path, phrase, disconnectSignal)
  try {
    const { id } = diary.manifest.persona
    await deps.personas.previewRestore(id, toUnpacked(diary))
    const bots = await checkTokens(deps, tokens, disconnectSignal)
    const requestedOrgans = organsWithNewKeys(wishes, deps.config.urls)
    await prepareOrgans(deps, requestedOrgans, disconnectSignal)
    return await deps.inTurn(id, () =>
      restore(deps, { diary, recipient, requestedOrgans, bots }, disconnectSignal),
    )
  } finally {
    await diary.drop()
  }
}

interface PreparedRestore {
  readonly diary: OpenedDiary
  /** Recipient of its future diaries. */
  readonly recipient: string
  readonly requestedOrgans: readonly RequestedOrgan[]
  readonly bots: readonly WantedChannel[]
}

const toUnpacked = ({ folder, manifest }: OpenedDiary) => ({ folder, head: manifest.head })

/** Checks the file type first, then the phrase, then the content. A mistyped phrase derives no key. */
const openDiary = async (
  { diaries, toIdentity }: CommandDeps,
  path: string,
  typedPhrase: string,
  disconnectSignal: AbortSignal,
) => {
  if ((await diaries.getFileKind(path)) !== 'diary') throw new Refused({ code: 'not_a_diary' })
  const phrase = await readPhrase(typedPhrase)
  if (phrase.fault) throw new Refused({ code: 'phrase_mistyped', fault: phrase.fault })
  const identity = await toIdentity(phrase.entropy)
  try {
    return {
      diary: await diaries.open(path, identity, disconnectSignal),
      recipient: await recipientFor(identity),
    }
  } catch (error) {
    throwIfDisconnected(disconnectSignal)
    throw error instanceof DiaryUnopened ? new Refused({ code: refusalCodes[error.code] }) : error
  }
}

const refusalCodes = {
  not_a_diary: 'not_a_diary',
  other_phrase: 'other_phrase',
  damaged: 'diary_damaged',
  newer: 'diary_newer',
} as const

/** Must run in `inTurn`. */
const restore = async (
  deps: CommandDeps,
  { diary, recipient, requestedOrgans, bots }: PreparedRestore,
  disconnectSignal: AbortSignal,
): Promise<PersonaRecord> => {
  const { agents, config, diaries, personas, signedHeads } = deps
  const { persona, head, made, heads } = diary.manifest
  const { id } = persona
  const bringIn = (organs: DeclaredOrgans, channels: readonly NewChannel[]) =>
    agents.rest(
      id,
      async () => {
        await diaries.cut(id)
        const result = await personas.restore(id, toUnpacked(diary), {
          type: 'RestorePersona',
          made: Date.parse(made),
          upTo: head.seq,
          recipient,
          organs,
          channels,
        })
        if (heads) await signedHeads.adopt(id, heads)
        return result
      },
      // After a success, its commit wakes it.
      'on failure',
    )
  const owner = personas.getRow(id)?.self ?? { id, organs: {} }
  const { persona: restoredPersona } = await saveOrgans(
    deps,
    owner,
    requestedOrgans,
    disconnectSignal,
    (organs) =>
      endingSessions(deps, id, () => withTokens(deps, id, bots, (channels) => bringIn(organs, channels))),
  )
  const { failed } = await agents.waitUntilSettled(id)
  if (failed !== null) throw new Refused({ code: 'migrated_not_started', reason: failed })
  return recordFor(personas, personas.getRow(id)?.self ?? restoredPersona.self, config.urls)
}
