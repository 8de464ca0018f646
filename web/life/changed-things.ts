/** Groups the differences between two moments by kind. */

import { momentName } from '../shared/moments.ts'
import type { Shape } from '../shared/shapes.ts'
import { isolated } from '../strings/isolated.ts'
import { lifeText } from '../strings/life-words.ts'
import { newText } from '../strings/new-words.ts'

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

const createAdded = (label: string): Difference => ({ before: null, after: label })
const createRemoved = (label: string): Difference => ({ before: label, after: null })

export const toChapters = (changes: Changes): readonly Chapter[] => {
  const { memories, instructions, plans, organs, channels, name, status } = changes
  const words = lifeText.comparing
  const chapters: readonly Chapter[] = [
    { title: words.learned, differences: memories.kept.map((memory) => createAdded(memory.text)) },
    { title: words.revised, differences: memories.revised },
    { title: words.forgotten, differences: memories.forgotten.map((memory) => createRemoved(memory.text)) },
    { title: words.instructions, differences: instructions.learned.map(formatInstruction).map(createAdded) },
    { title: words.instructionsRevised, differences: instructions.revised },
    {
      title: words.instructionsRemoved,
      differences: instructions.removed.map(formatInstruction).map(createRemoved),
    },
    { title: words.planned, differences: plans.planned.map(formatPlan).map(createAdded) },
    {
      title: words.moved,
      differences: plans.moved.map((plan) => ({
        before: formatPlan(plan.before),
        after: formatPlan(plan.after),
      })),
    },
    { title: words.fellDue, differences: plans.fallen_due.map(formatPlan).map(createAdded) },
    { title: words.cancelled, differences: plans.cancelled.map(formatPlan).map(createRemoved) },
    {
      title: words.organs,
      differences: organs.map(({ slot, before, after }) => ({
        label: newText.organ.name[slot],
        before: before?.name ?? null,
        after: after?.name ?? null,
      })),
    },
    {
      title: words.channels,
      differences: [
        ...channels.added.map((channel) => ({
          ...createAdded(formatChannel(channel)),
          label: words.channelAdded,
        })),
        ...channels.changed.map((channel) => ({
          before: formatChannel(channel.before),
          after: formatChannel(channel.after),
        })),
        ...channels.removed.map((channel) => ({
          ...createRemoved(formatChannel(channel)),
          label: words.channelRemoved,
        })),
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

const formatInstruction = ({ intention, body }: Changes['instructions']['learned'][number]) =>
  `${intention}: ${body}`
const formatPlan = ({ body, time }: Changes['plans']['planned'][number]) =>
  `${momentName(time)}: ${isolated(body)}`
const formatChannel = ({ type, name }: Changes['channels']['added'][number]) => `${type} ${name}`
