/** The rooms of a persona, each loaded when it is first entered. */
import type { Component } from 'svelte'
import type { Room } from './shared/address.ts'
import type { Persona } from './shared/shapes.ts'

export interface RoomProps {
  /** As it is now, and changes. */
  readonly persona: Persona
  /** A position in its journal, or an instant: the room shows it as it was then, and changes nothing. */
  readonly at: string | null
  /** A record of its journal that is looked for. */
  readonly record: number | null
}

type Load = () => Promise<{ readonly default: Component<RoomProps> }>

export const roomViews: Readonly<Partial<Record<Room, Load>>> = {
  talk: () => import('./talk/TalkRoom.svelte'),
}
