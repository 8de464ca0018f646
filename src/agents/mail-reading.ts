/** Lets the Mind of a persona summarise one mail, in a call of its own. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { ReadPassDeps, SummaryResult } from '../mail/mailbox-reader.ts'
import { buildMailQuestion, readMailAnswer } from '../mind/memory/mail-summary.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { type WiringDeps, wire } from './create-agent-deps.ts'

/** In ms: while the persona talks, after a failed call, and when the tokens of the day are used up. */
const waits = { turn: 5000, failure: 2 * 60_000, tokens: 10 * 60_000 }

export const createMailReading =
  (deps: WiringDeps & { readonly log: DiscreetLog }): ReadPassDeps['summarize'] =>
  async (id: PersonaId, mail, signal): Promise<SummaryResult> => {
    const { organs: createOrgans, spare } = wire(id, deps)
    const { persona, isSpare } = await deps.personas.read(id, async (reading) => ({
      persona: reading.persona,
      isSpare: await spare(reading),
    }))
    const later = (waitMs: number) => ({ kind: 'later', waitMs, calls: [] }) as const
    if (!persona.self.organs.thinking || persona.life.failed.thinking) return later(waits.failure)
    if (persona.talk.turn) return later(waits.turn)
    if (!isSpare) return later(waits.tokens)
    // The prompt is not stored: it is the text of a stranger.
    const organs = createOrgans(persona, signal, 'unkept')
    try {
      const { knowledge, talk } = await organs.budget()
      const question = buildMailQuestion(mail, knowledge + talk)
      const { value, used } = await organs.ask('thinking', question, [])
      return { kind: 'done', summary: readMailAnswer(value), calls: [{ used }] }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Unanswered)) {
        deps.log.warn({ id, err: error }, 'failed to summarise a mail')
        return later(waits.failure)
      }
      const calls = [{ failed: error.failed }]
      return error.failed.kind === 'refused'
        ? { kind: 'done', summary: null, calls }
        : { kind: 'later', waitMs: waits.failure, calls }
    }
  }
