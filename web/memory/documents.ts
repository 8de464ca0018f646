/** The documents of the memory, in display order. */
import type { Shape } from '../shared/shapes.ts'

export type Memory = Shape<'Memory'>
/** A statement that a program proposes. */
export type Proposal = Shape<'Proposal'>
/** When a statement is true; an empty text if unknown. */
export type Dates = Readonly<Record<'from' | 'until', string>>
export type Document = Memory['document']
/** The source of third-party text in a statement. */
export type Via = NonNullable<Memory['via']>['from']

/** The daemon's limit for a statement, in UTF-16 units. */
export const getMaxLength = (document: Document): number => (document === 'self' ? 200 : 300)

export const documents = [
  'person',
  'traits',
  'persona-trait',
  'wishes',
  'struggles',
  'permissions',
  'self',
] as const satisfies readonly Document[]
