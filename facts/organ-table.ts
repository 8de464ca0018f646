/** The organs of a persona, in display order. To add one, add a row here and the code that uses it. */

interface OrganRow {
  /** Display name. */
  readonly title: string
  /** Verb phrase that says its purpose, for display. */
  readonly ability: string
  /** Runs on a chat model: text in, text out. */
  readonly spokenTo: boolean
}

export const organTable = {
  thinking: { title: 'Mind', ability: 'thinks', spokenTo: true },
  imagination: { title: 'Imagination', ability: 'draws pictures', spokenTo: false },
  mouth: { title: 'Mouth', ability: 'speaks aloud', spokenTo: false },
  eye: { title: 'Eye', ability: 'looks at pictures', spokenTo: true },
  ear: { title: 'Ear', ability: 'listens to audio', spokenTo: false },
  teacher: { title: 'Teacher', ability: 'is asked for advice', spokenTo: true },
  researcher: { title: 'Researcher', ability: 'reads documents', spokenTo: true },
} as const satisfies Readonly<Record<string, OrganRow>>

export type SlotName = keyof typeof organTable
export type OtherSlot = Exclude<SlotName, 'thinking'>

export const slotNames = Object.keys(organTable) as readonly string[] as readonly [SlotName, ...SlotName[]]

/** Builds a record with one value for every organ except the Mind. */
export const perOtherSlot = <T>(getValue: (slot: OtherSlot) => T): Readonly<Record<OtherSlot, T>> =>
  Object.fromEntries(
    slotNames.flatMap((slot) => (slot === 'thinking' ? [] : [[slot, getValue(slot)]])),
  ) as Readonly<Record<OtherSlot, T>>
