/** What every room of the page can do, and what it is handed. */

import type { Letter } from '../talk/outbox.ts'
import type { Place } from './address.ts'
import type { connection } from './connection.svelte.ts'
import type { Register } from './register.ts'
import type { Frame } from './shapes.ts'

export interface Screen {
  readonly element: HTMLElement
  /** Where the keyboard begins when the room is entered. */
  readonly focus: () => void
  readonly close: () => void
}

export interface House {
  readonly register: Register
  readonly lines: Pick<typeof connection, 'report' | 'forget'>
  readonly go: (place: Place) => void
  /** Says something once, quietly, over whatever is open. */
  readonly tell: (words: string) => void
  /** Hands over what the system socket tells, until the returned function is called. */
  readonly hear: (listener: (frame: Frame) => void) => () => void
  /**
   * Files chosen for a persona and not yet sent, and letters with a file that she has not heard. Gone with
   * this page.
   */
  readonly trays: Map<string, readonly File[]>
  readonly parcels: Map<string, readonly Letter[]>
}
