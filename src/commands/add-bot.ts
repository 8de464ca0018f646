/** Adds a bot as a channel of a persona. It is paired with a chat later. */
import { ChannelKind, type PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import { platformNames } from '../platform-table.ts'
import { checkToken, hasAlready, withTokens } from './bot-tokens.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Returns the kind. Throws Refused: persona_unknown, channel_invalid, channels_full, cut_short,
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
  const kind = parseKind(asked.kind)
  // Dry run with an existing bot: the real one may be one of these, which is known only with its name.
  const candidate = { id: '', kind: first?.kind ?? kind, bot: first?.bot ?? { id: '', name: '' }, token: '' }
  await personas.would(id, { type: 'AddChannel', channel: candidate })
  const wanted = await checkToken(deps, { kind, token: asked.token, shown: kind }, gone)
  const { failed } = await inTurn(id, async () => {
    // The persona may have been deleted during the request to the platform.
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

/** An unknown kind is quoted up to this length. */
const maxKindLength = 60

/** Throws Refused: channel_invalid. */
const parseKind = (given: string): ChannelKind => {
  const kind = ChannelKind.safeParse(given)
  if (kind.success) return kind.data
  throw new Refused({
    code: 'channel_invalid',
    kind: given.slice(0, maxKindLength).toWellFormed(),
    reason: `Kind must be ${platformNames()}.`,
  })
}
