/** Pairs a channel with the chat in which its bot gave a code. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { isoIn } from '../../packages/kit/time/clock.ts'
import { type ChannelRecord, channelRecord, type PersonaRecord } from '../../projections/persona-record.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { recordFor } from './organ-keys.ts'
import { served } from './running.ts'

type Deps = Pick<CommandDeps, 'agents' | 'channels' | 'clock' | 'config' | 'inTurn' | 'personas'>

/** Throws Refused: not_active, code_wrong, channel_unknown, channel_verified. */
export const pairBot = (
  { agents, channels, clock, config, inTurn, personas }: Deps,
  id: PersonaId,
  code: string,
): Promise<{ readonly persona: PersonaRecord; readonly channel: ChannelRecord }> =>
  inTurn(id, async () => {
    await served(agents, id)
    const claim = channels.claim(id, code)
    if (!claim) throw new Refused({ code: 'code_wrong' })
    const { channel, target } = claim
    const command = { type: 'PairChannel', id: channel, target, at: isoIn(clock.zone, clock.now()) } as const
    const { persona } = await personas.execute(id, command, 'person').catch((error: unknown) => {
      // After a disk error the user can try the same code again.
      if (!(error instanceof Refused)) channels.unclaim(id, claim)
      throw error
    })
    const paired = persona.self.channels.find((one) => one.id === channel)
    if (!paired) throw new Refused({ code: 'channel_unknown' })
    const token = await personas.secret(id, paired.token)
    return {
      persona: await recordFor(personas, persona.self, config.urls),
      channel: channelRecord(paired, () => token),
    }
  })
