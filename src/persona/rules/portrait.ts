/** Rules of the portrait. A replaced picture stays, so that undo can restore it. */
import type { PortraitSource, StoredMedia, Used } from '../../../facts/fact-values.ts'
import { accept, type Rules } from './decision.ts'
import { callFacts } from './organ-health.ts'

interface ChoosePortrait {
  readonly type: 'ChoosePortrait'
  readonly media: StoredMedia
  readonly source: PortraitSource
}

interface RemovePortrait {
  readonly type: 'RemovePortrait'
}

/** A portrait was drawn as a proposal. Only its cost is recorded. */
interface RecordPortraitDrawing {
  readonly type: 'RecordPortraitDrawing'
  readonly used: Used
}

export type PortraitCommand = ChoosePortrait | RemovePortrait | RecordPortraitDrawing

export const portraitRules: Rules<PortraitCommand> = {
  // The same bytes change nothing.
  ChoosePortrait: ({ self }, { media, source }) =>
    self.portrait?.sha256 === media.sha256 ? accept() : accept({ type: 'PortraitChosen', media, source }),
  RemovePortrait: ({ self }) => (self.portrait ? accept({ type: 'PortraitRemoved' }) : accept()),
  RecordPortraitDrawing: (persona, { used }) =>
    accept(...callFacts(persona, [{ used }], { turn: null, step: null, cause: 'api' })),
}
