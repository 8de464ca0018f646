/** Groups the differences between two moments by kind. */
import type { Shape } from '../shared/client.ts'
import { momentName } from '../shared/moments.ts'
import { isolated } from '../strings/isolated.ts'
import { lifeText } from '../strings/life-words.ts'
import { text } from '../strings/strings.ts'

export type Changes = Shape<'Changes'>

/** `before` is null for something new, `after` for something removed. */
export interface Difference {
  readonly label?: string
  readonly before: string | null
  readonly after: string | null
}

export interface Chapter {
  readonly title: string
  readonly differences: readonly Difference[]
}

const come = (after: string): Difference => ({ before: null, after })
const gone = (before: string): Difference => ({ before, after: null })

export const chaptersOf = (changes: Changes): readonly Chapter[] => {
  const { memories, instructions, plans, organs, channels, name, status } = changes
  const words = lifeText.comparing
  const chapters: readonly Chapter[] = [
    { title: words.learned, differences: memories.kept.map((one) => come(one.text)) },
    { title: words.revised, differences: memories.revised },
    { title: words.forgotten, differences: memories.forgotten.map((one) => gone(one.text)) },
    { title: words.instructions, differences: instructions.learned.map(lessonOf).map(come) },
    { title: words.instructionsRevised, differences: instructions.revised },
    { title: words.instructionsRemoved, differences: instructions.removed.map(lessonOf).map(gone) },
    { title: words.planned, differences: plans.planned.map(planOf).map(come) },
    {
      title: words.moved,
      differences: plans.moved.map((one) => ({ before: planOf(one.before), after: planOf(one.after) })),
    },
    { title: words.fellDue, differences: plans.fallen_due.map(planOf).map(come) },
    { title: words.cancelled, differences: plans.cancelled.map(planOf).map(gone) },
    {
      title: words.organs,
      differences: organs.map(({ slot, before, after }) => ({
        label: text.organ.name[slot],
        before: before?.name ?? null,
        after: after?.name ?? null,
      })),
    },
    {
      title: words.channels,
      differences: [
        ...channels.added.map((one) => ({ ...come(channelOf(one)), label: words.channelAdded })),
        ...channels.changed.map((one) => ({ before: channelOf(one.before), after: channelOf(one.after) })),
        ...channels.removed.map((one) => ({ ...gone(channelOf(one)), label: words.channelRemoved })),
      ],
    },
    { title: words.name, differences: name ? [name] : [] },
    {
      title: words.status,
      differences: status
        ? [{ before: lifeText.status[status.before], after: lifeText.status[status.after] }]
        : [],
    },
  ]
  return chapters.filter(({ differences }) => differences.length > 0)
}

const lessonOf = ({ intention, body }: Changes['instructions']['learned'][number]) => `${intention}: ${body}`
const planOf = ({ body, time }: Changes['plans']['planned'][number]) =>
  `${momentName(time)}: ${isolated(body)}`
const channelOf = ({ type, name }: Changes['channels']['added'][number]) => `${type} ${name}`
