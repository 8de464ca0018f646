/** POST /api/persona/migrate */
import * as z from 'zod'
import type { OpenedDiary } from '../../diary/diary.ts'
import { DiaryUnopened } from '../../diary/unopened.ts'
import { identityOf, readPhrase, recipientFor } from '../../persona/phrase.ts'
import { Refused } from '../../persona/refusals.ts'
import type { NewChannel } from '../../persona/rules/channels.ts'
import { decide } from '../../persona/rules/decide.ts'
import type { UpdatePersona } from '../../persona/rules/self.ts'
import { saveOrgans } from '../registration.ts'
import { type RouteDeps, route } from '../route.ts'
import { declaredOrgans, keylessOf, prepareOrgans, recordFor, type Wanted, wantedAnew } from '../schema/organ-bodies.ts'
import { HttpRefused } from '../schema/refused.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { checkTokens, type WantedChannel, withTokens } from '../schema/tokens.ts'
import { stillThere, whileThere } from '../server/caller.ts'
import { FilePart } from '../server/uploads.ts'
import { wakeAgain } from '../waking.ts'

const text = z.string().optional()

const Body = z
  .object({
    diary: FilePart,
    phrase: z.string().describe('The 24 words of her recovery phrase.'),
    model: z.string(),
    provider: text,
    api_key: text,
    url: text,
    imagination_model: text,
    imagination_provider: text,
    imagination_api_key: text,
    imagination_url: text,
    mouth_model: text,
    mouth_provider: text,
    mouth_api_key: text,
    mouth_url: text,
    eye_model: text,
    eye_provider: text,
    eye_api_key: text,
    eye_url: text,
    ear_model: text,
    ear_provider: text,
    ear_api_key: text,
    ear_url: text,
    teacher_model: text,
    teacher_provider: text,
    teacher_api_key: text,
    teacher_url: text,
    researcher_model: text,
    researcher_provider: text,
    researcher_api_key: text,
    researcher_url: text,
    telegram_token: text,
    discord_token: text,
  })
  .meta({ id: 'Body_migrate' })

export const migrate = route({
  method: 'post',
  path: '/api/persona/migrate',
  summary: 'Bring a persona back from her diary, with organs declared anew, and wake her',
  form: Body,
  limit: ({ archive }) => archive,
  reply: z.object({ persona: PersonaRecordShape }).meta({ id: 'PersonaMigrated' }),
  refuses: [
    ...(['provider_unknown', 'model_missing', 'address_secret', 'channel_invalid'] as const),
    ...(['not_a_diary', 'phrase_mistyped', 'other_phrase', 'diary_damaged', 'diary_newer'] as const),
    ...(['histories_parted', 'damaged_here', 'model_failed', 'cut_short', 'migrated_not_started'] as const),
  ],
  handle:
    (deps) =>
    ({ body, response }) => {
      const wishes = declaredOrgans((slot, what) => (slot === 'thinking' ? body[what] : body[`${slot}_${what}`]))
      const organs = keylessOf(wishes)
      const onPaper = decide(undefined, { type: 'CreatePersona', id: '', name: '', birthday: '', recipient: '', organs })
      if ('refused' in onPaper) throw new Refused(onPaper.refused)
      return whileThere(response, deps.closing, async (gone) => {
        const { diary, recipient } = await opened(deps, body.diary.staged.path, body.phrase, gone)
        try {
          const { id } = diary.manifest.persona
          await deps.personas.meet(id, unpacked(diary))
          const bots = await checkTokens(deps, body, gone)
          const wanted = wantedAnew(wishes)
          await prepareOrgans(deps, wanted, gone)
          return await deps.inTurn(id, () => restored(deps, { diary, recipient, wanted, bots }, gone))
        } finally {
          await diary.drop()
        }
      })
    },
})

interface Coming {
  readonly diary: OpenedDiary
  /** Whom her diaries are sealed for from now on. */
  readonly recipient: string
  readonly wanted: readonly Wanted[]
  readonly bots: readonly WantedChannel[]
}

const unpacked = ({ folder, manifest }: OpenedDiary) => ({ folder, head: manifest.head })

/** What kind of file, then the words, then all of it. Nothing is derived from words that are mistyped. */
const opened = async ({ diaries }: RouteDeps, path: string, typed: string, gone: AbortSignal) => {
  if ((await diaries.kindOf(path)) !== 'diary') throw new HttpRefused({ code: 'not_a_diary' })
  const read = await readPhrase(typed)
  if (read.fault) throw new HttpRefused({ code: 'phrase_mistyped', fault: read.fault })
  const identity = await identityOf(read.entropy)
  try {
    return { diary: await diaries.open(path, identity, gone), recipient: await recipientFor(identity) }
  } catch (error) {
    stillThere(gone)
    throw error instanceof DiaryUnopened ? new HttpRefused({ code: troubles[error.code] }) : error
  }
}

const troubles = { not_a_diary: 'not_a_diary', other_phrase: 'other_phrase', damaged: 'diary_damaged', newer: 'diary_newer' } as const

/** In her turn: nobody else changes her meanwhile. */
const restored = async (deps: RouteDeps, { diary, recipient, wanted, bots }: Coming, gone: AbortSignal) => {
  const { agents, config, diaries, personas } = deps
  const { persona, head, made } = diary.manifest
  const { id } = persona
  const bringBack = async (organs: UpdatePersona['organs'], channels: readonly NewChannel[]) => {
    const ran = agents.running(id)
    if (ran) await personas.execute(id, { type: 'AskStop' }, 'person')
    await agents.settled(id)
    await diaries.cut(id)
    try {
      return await personas.restore(id, unpacked(diary), {
        ...{ type: 'RestorePersona', made: Date.parse(made), upTo: head.seq, recipient, organs, channels },
      })
    } catch (error) {
      if (ran) await wakeAgain(deps, id)
      throw error
    }
  }
  const whose = personas.listed(id)?.self ?? { id, organs: {} }
  const { persona: back } = await saveOrgans(deps, whose, wanted, gone, (organs) =>
    withTokens(deps, id, bots, (channels) => bringBack(organs, channels)),
  )
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new HttpRefused({ code: 'migrated_not_started', reason: failed })
  return { persona: await recordFor(personas, personas.listed(id)?.self ?? back.self, config.urls) }
}
