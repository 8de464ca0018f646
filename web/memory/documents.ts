/** The documents that statements stand in, in the order they are shown in. */
import type { Shape } from '../shared/client.ts'

export type Memory = Shape<'Memory'>
/** What a program would have it know. */
export type Proposal = Shape<'Proposal'>
export type Document = Memory['document']
/** What words of others in a statement came from. */
export type Via = NonNullable<Memory['via']>['from']

export const documents = [
  'person',
  'traits',
  'persona-trait',
  'wishes',
  'struggles',
  'permissions',
] as const satisfies readonly Document[]
