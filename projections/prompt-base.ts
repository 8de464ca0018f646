/**
 * The state that the system prompt of turns is rendered from. It changes at a night, when a block of the talk
 * is dropped, and when the settings change, so that all requests in between share one prefix.
 */
import type { Seq } from '../facts/fact-values.ts'
import type { EventType } from '../facts/facts.ts'
import type { Days } from './days.ts'
import type { Fact } from './fact.ts'
import type { Knowledge } from './knowledge.ts'
import type { Plans } from './plans.ts'
import type { Self } from './self.ts'
import type { Skills } from './skills.ts'

/** The parts of the state that the system prompt shows. */
export interface PromptState {
  readonly self: Self
  readonly knowledge: Knowledge
  readonly plans: Plans
  readonly skills: Skills
  readonly days: Days
}

export interface PromptBase extends PromptState {
  /** The fact that it was taken at. */
  readonly seq: Seq
  /** Time of that fact, in epoch ms. */
  readonly at: number
  /** Position of the first fact of the talk that prompts show; null: the next turn chooses it. */
  readonly window: Seq | null
}

/** Facts after which the prompt is rendered anew from the current state. */
const renewing: ReadonlySet<EventType> = new Set<EventType>([
  'PersonaCreated',
  'PersonaRestored',
  'PersonaForked',
  'Salvaged',
  'SleepEnded',
  'HistoryFed',
  'Renamed',
  'CharacterSet',
  'OrganReplaced',
  'OrganRemoved',
  'ChannelAdded',
  'ChannelRemoved',
  'ChannelPaired',
  'SkillAdded',
  'SkillEnabled',
  'SkillDisabled',
  'SkillRemoved',
])

/** Facts after which the talk starts with another message. */
const movingWindow: ReadonlySet<EventType> = new Set<EventType>([
  'PersonaRestored',
  'PersonaForked',
  'Salvaged',
  'SleepEnded',
])

export const evolvePromptBase = (
  base: PromptBase | undefined,
  { seq, at, event }: Fact,
  { self, knowledge, plans, skills, days }: PromptState,
): PromptBase => {
  const window =
    event.type === 'TurnBegan' && event.window !== undefined
      ? event.window
      : movingWindow.has(event.type)
        ? null
        : (base?.window ?? null)
  // A block of the talk was dropped. What was learned in it is in the state.
  const isDropped = base !== undefined && base.window !== null && window !== null && base.window !== window
  if (base && !isDropped && !isRenewing(event)) return base.window === window ? base : { ...base, window }
  return { seq, at, window, self, knowledge, plans, skills, days }
}

/** An import adds more statements than messages could list. A pin of the user takes effect at once. */
const isRenewing = (event: Fact['event']): boolean =>
  renewing.has(event.type) ||
  (event.type === 'MemoryPinned' && event.origin === 'person') ||
  ((event.type === 'MemoryKept' || event.type === 'MemoryRevised') && event.origin === 'history')
