/**
 * Finds the help for a user whose messages say that their life is in danger. It needs no model, so it also
 * works while the model fails. The user gets it once a day at most.
 */

import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Turn } from '../../projections/talk.ts'
import type { Reading } from '../persona/persona-store.ts'
import type { Help, OfferedHelp } from '../persona/rules/talk.ts'
import { readPerceived } from './prompt/recent-talk.ts'
import { readTurnMessages } from './prompt/talk-items.ts'

type Zoned = Pick<Clock, 'now' | 'zone'>

/** Returns the help for the messages that a turn takes or that wait for one, or null if none is needed. */
export const findHelp = async (
  { persona, journal }: Pick<Reading, 'persona' | 'journal'>,
  turn: Pick<Turn, 'channel' | 'stimuli'> | null,
  clock: Zoned,
): Promise<OfferedHelp | null> => {
  const { talk, self } = persona
  if (!turn || !self.care.help || (await isToday(talk.helpedAt, clock))) return null
  const messages = await readTurnMessages(journal, turn)
  const perceptions = await readPerceived(journal, messages)
  const texts = messages.flatMap(({ seq, event }) =>
    event.type === 'MessageHeard'
      ? [
          ...event.parts.filter(({ from }) => from === 'person').map(({ text }) => text),
          ...(event.media?.voice && event.media.from === 'person' ? [perceptions.get(seq)?.text ?? ''] : []),
        ]
      : [],
  )
  const help = texts.length > 0 ? await writeHelpFor(texts.join('\n'), self.care.country, clock) : null
  return help && { ...help, helpedAt: talk.helpedAt }
}

const isToday = async (at: number | null, { now, zone }: Zoned): Promise<boolean> => {
  if (at === null) return false
  const { toDate } = await import('../../packages/kit/time/local-time.ts')
  return toDate(at, zone) === toDate(now(), zone)
}

/** `country`: that of the settings; null follows the time zone. */
export const writeHelpFor = async (
  text: string,
  country: string | null,
  { zone }: Pick<Clock, 'zone'>,
): Promise<Help | null> => {
  const { findDanger } = await import('../../packages/care/danger-words.ts')
  const language = findDanger(text)
  if (language === null) return null
  const { findCountry, loadHelp, writeHelp } = await import('../../packages/care/help.ts')
  const table = await loadHelp()
  const usedCountry = country ?? findCountry(zone, table)
  return { country: usedCountry, text: writeHelp(usedCountry, language, table) }
}
