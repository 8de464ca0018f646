/**
 * Add a channel: a bot that a persona is spoken to through from now on; it is paired with a chat afterwards.
 */
import { ChannelKind, type PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import { platformNames } from '../platform-table.ts'
import { checkToken, hasAlready, withTokens } from './bot-tokens.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Resolves with its kind. Refused: persona_unknown, channel_invalid, channels_full, cut_short,
 * added_not_restarted.
 */
export const addBot = async (
  deps: CommandDeps,
  id: PersonaId,
  asked: { readonly kind: string; readonly token: string },
  gone: AbortSignal,
): Promise<ChannelKind> => {
  const { agents, inTurn, personas } = deps
  const [first] = known(personas, id).self.channels
  const kind = readKind(asked.kind)
  // It may turn out to be a bot that is there: whether there is room for another is known with its name.
  const paper = { id: '', kind: first?.kind ?? kind, bot: first?.bot ?? { id: '', name: '' }, token: '' }
  await personas.would(id, { type: 'AddChannel', channel: paper })
  const wanted = await checkToken(deps, { kind, token: asked.token, shown: kind }, gone)
  const { failed } = await inTurn(id, async () => {
    // While its platform was asked, the persona may have gone.
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
  if (failed !== null) throw new Refused({ code: 'added_not_restarted', reason: failed })
  return kind
}

/** Characters of a kind that is not ours, as it is told back. */
const mostOfKind = 60

/** Refused: channel_invalid. */
const readKind = (given: string): ChannelKind => {
  const kind = ChannelKind.safeParse(given)
  if (kind.success) return kind.data
  throw new Refused({
    code: 'channel_invalid',
    kind: given.slice(0, mostOfKind).toWellFormed(),
    reason: `Kind must be ${platformNames()}.`,
  })
}
