/** A persona's journal while it is open: its gate, or what can still be read of it. */
import type { Journal } from '../../journal/log/journal.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Gate } from './gate.ts'
import { Refused } from './refusals.ts'

/** A damaged journal has no gate, only its trouble: it can be read up to the damage. */
export interface Opened {
  readonly journal: Journal
  readonly state: { readonly gate: Gate } | { readonly persona: Persona; readonly trouble: Error }
  /** Position of the newest kept snapshot. */
  kept: number
  /** Resolves when the snapshot that is being kept is. */
  keeping: Promise<void>
  /** Resolves when the keys that nothing of its own refers to any more are off the disk. */
  swept: Promise<void>
}

/** Throws the trouble of a damaged one. */
export const gateOf = ({ state }: Opened): Gate => {
  if ('trouble' in state) throw state.trouble
  return state.gate
}

/** Refused: persona_unknown. */
export const personaOf = ({ state }: Opened): Persona => {
  const persona = 'gate' in state ? state.gate.persona : state.persona
  if (!persona || persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return persona
}
