/** POST /api/persona/{persona_id}/pair */
import * as z from 'zod'
import { channelRecord } from '../../../projections/persona-record.ts'
import { Refused } from '../../persona/refusals.ts'
import { isoIn } from '../../time/clock.ts'
import { route } from '../route.ts'
import { recordFor } from '../schema/organ-bodies.ts'
import { HttpRefused } from '../schema/refused.ts'
import { ChannelRecordShape, PersonaRecordShape } from '../schema/shapes.ts'

const PairRequest = z
  .object({ code: z.string().describe('As the bot told it in the chat, within 10 minutes. Case, spaces and hyphens do not matter.') })
  .meta({ id: 'PairRequest' })

export const pair = route({
  method: 'post',
  path: '/api/persona/{persona_id}/pair',
  summary: 'Bind a channel of hers to the chat in which its bot gave this code',
  body: PairRequest,
  reply: z.object({ persona: PersonaRecordShape, channel: ChannelRecordShape }).meta({ id: 'ChannelPaired' }),
  refuses: ['not_active', 'code_wrong', 'channel_unknown', 'channel_verified'],
  handle:
    ({ agents, channels, clock, config, inTurn, personas }) =>
    ({ params: { persona_id: id }, body: { code } }) =>
      inTurn(id, async () => {
        // In the moment of a restart she only seems to be away.
        if (!agents.running(id)) await agents.settled(id)
        if (!agents.running(id)) throw new Refused({ code: 'not_active' })
        const claim = channels.claim(id, code)
        if (!claim) throw new HttpRefused({ code: 'code_wrong' })
        const { channel, target } = claim
        const command = { type: 'PairChannel', id: channel, target, at: isoIn(clock.zone, clock.now()) } as const
        const { persona } = await personas.execute(id, command, 'person').catch((error: unknown) => {
          // What the disk refused may be asked again with the same code.
          if (!(error instanceof Refused)) channels.unclaim(id, claim)
          throw error
        })
        const paired = persona.self.channels.find((one) => one.id === channel)
        if (!paired) throw new Refused({ code: 'channel_unknown' })
        const token = await personas.secret(id, paired.token)
        return { persona: await recordFor(personas, persona.self, config.urls), channel: channelRecord(paired, () => token) }
      }),
})
