/** The fields of a character card, as the daemon names them. */
import type { Shape } from '../shared/shapes.ts'

export type CardField = Shape<'CharacterCard'>['cut'][number]['field']
