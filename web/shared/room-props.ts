/** The properties that the component of each room gets. */
import type { Persona } from './shapes.ts'

export interface RoomProps {
  /** The current persona; it may be updated. */
  readonly persona: Persona
  /** A sequence number or an instant: the room shows that moment, read-only. Null means now. */
  readonly at: string | null
  /** The sequence number of a journal record to show. */
  readonly record: number | null
}
