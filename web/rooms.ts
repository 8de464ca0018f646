/** The rooms of a persona. Each is loaded when it is first opened. */
import type { Component } from 'svelte'
import type { Room } from './shared/address.ts'
import type { RoomProps } from './shared/room-props.ts'

type Load = () => Promise<{ readonly default: Component<RoomProps> }>

export const roomViews: Readonly<Record<Room, Load>> = {
  talk: () => import('./talk/TalkRoom.svelte'),
  memory: () => import('./memory/MemoryRoom.svelte'),
  instructions: () => import('./instructions/InstructionsRoom.svelte'),
  calendar: () => import('./calendar/CalendarRoom.svelte'),
  tools: () => import('./tools/ToolsRoom.svelte'),
  skills: () => import('./skills/SkillsRoom.svelte'),
  settings: () => import('./settings/SettingsRoom.svelte'),
  life: () => import('./life/LifeRoom.svelte'),
  health: () => import('./health/HealthRoom.svelte'),
}

/** The off-record talk. */
export const offRecordView: Load = () => import('./off-record/OffRecordRoom.svelte')

/** Shown for a past moment instead of rooms that only show the present. */
export const thenView: Load = () => import('./life/ThenRoom.svelte')
export const presentRooms: ReadonlySet<Room> = new Set<Room>([
  'talk',
  'tools',
  'skills',
  'health',
  'settings',
])
