/**
 * Creates a persona: checks models and tokens first, then creates and wakes it and writes the first diary.
 */
import type { Slot } from '../../journal/facts/fact-values.ts'
import { type Clock, isoIn } from '../../packages/kit/time/clock.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import { Refused } from '../persona/refusals.ts'
import { decide } from '../persona/rules/decide.ts'
import { checkTokens, type Tokens, withTokens } from './bot-tokens.ts'
import type { CommandDeps } from './command-deps.ts'
import { recordFor, wantedAnew } from './organ-keys.ts'
import { declaredWishes, keylessOf, type OrganFields } from './organ-wishes.ts'
import { prepareOrgans, saveOrgans } from './save-organs.ts'

export interface NewPersona {
  readonly name: string
  readonly organs: Readonly<Record<Slot, OrganFields>>
  readonly tokens: Tokens
}

/**
 * Throws Refused (as `declaredWishes`, too_long, channel_invalid, cut_short, created_not_started) or
 * ModelError.
 */
export const createPersona = async (
  deps: CommandDeps,
  { name, organs, tokens }: NewPersona,
  gone: AbortSignal,
): Promise<{ readonly persona: PersonaRecord; readonly phrase: string }> => {
  const { agents, config, diaries, log, newId, personas } = deps
  const wishes = declaredWishes(organs)
  const id = newId()
  const named = { type: 'CreatePersona', id, name, birthday: today(deps.clock) } as const
  const dryRun = decide(undefined, { ...named, recipient: '', organs: keylessOf(wishes) })
  if ('refused' in dryRun) throw new Refused(dryRun.refused)

  const wanted = wantedAnew(wishes)
  const bots = await checkTokens(deps, tokens, gone)
  await prepareOrgans(deps, wanted, gone)
  const { phrase, recipient } = await deps.newPhrase()
  // saveOrgans checks that the client is still connected: otherwise no one would get the phrase.
  const { persona } = await saveOrgans(deps, { id, organs: {} }, wanted, gone, (kept) =>
    withTokens(deps, id, bots, (channels) =>
      personas.create({ ...named, recipient, organs: kept, channels }),
    ),
  )
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'created_not_started', reason: failed })
  // If this fails, the next sleep writes the diary.
  await diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'failed to write the first diary'))
  return { persona: await recordFor(personas, persona.self, config.urls), phrase }
}

/** Local date, YYYY-MM-DD. */
const today = (clock: Clock): string => isoIn(clock.zone, clock.now()).slice(0, 10)
