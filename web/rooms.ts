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
  memory: () => import('./memory/MemoryRoom.svelte'),
  instructions: () => import('./instructions/InstructionsRoom.svelte'),
  calendar: () => import('./calendar/CalendarRoom.svelte'),
  settings: () => import('./settings/SettingsRoom.svelte'),
  life: () => import('./life/LifeRoom.svelte'),
  health: () => import('./health/HealthRoom.svelte'),
}

/** The talk of which nothing is kept. */
export const offRecordView: Load = () => import('./off-record/OffRecordRoom.svelte')

/** How a persona was, for the rooms that show how it is. */
export const thenView: Load = () => import('./life/ThenRoom.svelte')
export const presentRooms: ReadonlySet<Room> = new Set<Room>(['talk', 'health', 'settings'])
