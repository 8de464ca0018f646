/** Given facts, when a command, writes facts: the rules without a disk. */
import { equal, ok } from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { Command } from '../../src/persona/commands.ts'
import { decide } from '../../src/persona/decide.ts'
import type { RefusalCode } from '../../src/persona/refusals.ts'
import { saying } from '../heard.ts'

export const opus = { model: 'llama3.2', provider: null, url: null, key: null } as const

export const born: PersonaEvent = {
  type: 'PersonaCreated',
  id: 'p',
  name: 'Ada',
  birthday: '2026-06-04',
  idleTimeout: 3600,
  recipient: 'age1',
}
export const minded: PersonaEvent = { type: 'OrganReplaced', slot: 'thinking', organ: opus }
export const web = { type: 'web', name: 'p' } as const
export const heard = (content: string, key: string | null = null): PersonaEvent => ({
  type: 'MessageHeard',
  channel: web,
  parts: saying(content),
  media: null,
  key,
})
export const awake: readonly PersonaEvent[] = [born, minded, { type: 'StartAsked' }, { type: 'Woke', life: 1 }]

export const fold = (facts: readonly PersonaEvent[]): Persona | undefined =>
  facts.reduce<Persona | undefined>((persona, event, i) => evolve(persona, { seq: i + 1, at: 1000 * (i + 1), event }), undefined)

export const given = (...facts: readonly PersonaEvent[]) => ({
  when: (command: Command) => {
    const decision = decide(fold(facts), command)
    return {
      writes: (...events: readonly PersonaEvent[]) => equal(decision, { events }),
      refuses: (code: RefusalCode) => {
        ok('refused' in decision, JSON.stringify(decision))
        if ('refused' in decision) equal(decision.refused.code, code)
      },
    }
  },
})
