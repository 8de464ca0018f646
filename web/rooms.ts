/** The rooms of a persona. Each is loaded when it is first opened. */
import type { Component } from 'svelte'
import type { Room } from './shared/address.ts'
import type { Persona } from './shared/shapes.ts'

export interface RoomProps {
  /** The current persona; it may be updated. */
  readonly persona: Persona
  /** A sequence number or an instant: the room shows that moment, read-only. Null means now. */
  readonly at: string | null
  /** The sequence number of a journal record to show. */
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

/** The off-record talk. */
export const offRecordView: Load = () => import('./off-record/OffRecordRoom.svelte')

/** Shown for a past moment instead of rooms that only show the present. */
export const thenView: Load = () => import('./life/ThenRoom.svelte')
export const presentRooms: ReadonlySet<Room> = new Set<Room>(['talk', 'health', 'settings'])
