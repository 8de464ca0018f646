/** Groups the differences between two moments by kind. */

import { momentName } from '../shared/moments.ts'
import type { Shape } from '../shared/shapes.ts'
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

const toAdded = (after: string): Difference => ({ before: null, after })
const toRemoved = (before: string): Difference => ({ before, after: null })

export const toChapters = (changes: Changes): readonly Chapter[] => {
  const { memories, instructions, plans, organs, channels, name, status } = changes
  const words = lifeText.comparing
  const chapters: readonly Chapter[] = [
    { title: words.learned, differences: memories.kept.map((memory) => toAdded(memory.text)) },
    { title: words.revised, differences: memories.revised },
    { title: words.forgotten, differences: memories.forgotten.map((memory) => toRemoved(memory.text)) },
    { title: words.instructions, differences: instructions.learned.map(formatInstruction).map(toAdded) },
    { title: words.instructionsRevised, differences: instructions.revised },
    {
      title: words.instructionsRemoved,
      differences: instructions.removed.map(formatInstruction).map(toRemoved),
    },
    { title: words.planned, differences: plans.planned.map(formatPlan).map(toAdded) },
    {
      title: words.moved,
      differences: plans.moved.map((plan) => ({
        before: formatPlan(plan.before),
        after: formatPlan(plan.after),
      })),
    },
    { title: words.fellDue, differences: plans.fallen_due.map(formatPlan).map(toAdded) },
    { title: words.cancelled, differences: plans.cancelled.map(formatPlan).map(toRemoved) },
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
        ...channels.added.map((channel) => ({
          ...toAdded(formatChannel(channel)),
          label: words.channelAdded,
        })),
        ...channels.changed.map((channel) => ({
          before: formatChannel(channel.before),
          after: formatChannel(channel.after),
        })),
        ...channels.removed.map((channel) => ({
          ...toRemoved(formatChannel(channel)),
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
