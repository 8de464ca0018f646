/** POST /api/persona/{persona_id}/channels */
import * as z from 'zod'
import { ChannelKind } from '../../../journal/facts/fact-values.ts'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { checkToken, hasAlready, withTokens } from '../schema/tokens.ts'
import { whileThere } from '../server/caller.ts'

const ChannelCreateRequest = z
  .object({
    kind: z.string().describe('telegram or discord.'),
    credentials: z.object({ token: z.string().describe('Of the bot, as its platform gave it.') }),
  })
  .meta({ id: 'ChannelCreateRequest' })

export const addChannel = route({
  method: 'post',
  path: '/api/persona/{persona_id}/channels',
  summary:
    'Give a persona a bot to be spoken to through; it is paired with a chat afterwards. A bot that is there already stays one channel',
  body: ChannelCreateRequest,
  reply: z.object({ kind: z.string() }).meta({ id: 'ChannelCreated' }),
  refuses: ['persona_unknown', 'channel_invalid', 'channels_full', 'cut_short', 'added_not_restarted'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body, response }) => {
      const { agents, closing, inTurn, personas } = deps
      const [first] = known(personas, id).self.channels
      const kind = readKind(body.kind)
      const { token } = body.credentials
      // It may turn out to be a bot that is there: whether there is room for another is known with its name.
      const paper = { id: '', kind: first?.kind ?? kind, bot: first?.bot ?? { id: '', name: '' }, token: '' }
      await personas.would(id, { type: 'AddChannel', channel: paper })
      const { failed } = await whileThere(response, closing, async (gone) => {
        const wanted = await checkToken(deps, { kind, token, shown: kind }, gone)
        return inTurn(id, async () => {
          // While its platform was asked, it may have gone.
          const { self } = known(personas, id)
          if (await hasAlready(personas, self, wanted)) return { failed: null }
          await withTokens(
            deps,
            id,
            [wanted],
            async ([channel]) => channel && personas.execute(id, { type: 'AddChannel', channel }, 'person'),
          )
          return agents.settled(id)
        })
      })
      if (failed !== null) throw new HttpRefused({ code: 'added_not_restarted', reason: failed })
      return { kind }
    },
})

/** Characters of a kind that is not ours, as it is told back. */
const mostOfKind = 60

/** Refused: channel_invalid. */
const readKind = (given: string): ChannelKind => {
  const kind = ChannelKind.safeParse(given)
  if (kind.success) return kind.data
  throw new HttpRefused({
    code: 'channel_invalid',
    kind: given.slice(0, mostOfKind).toWellFormed(),
    reason: 'Kind must be telegram or discord.',
  })
}
