/** The rules of personas: a state and a command in, facts or a refusal out. Never throws, never waits. */
import type { Persona } from '../../../projections/persona.ts'
import type { Refusal } from '../refusals.ts'
import { type ApprovalCommand, approvalRules } from './approvals.ts'
import { type CalendarCommand, calendarRules } from './calendar.ts'
import { type ChannelCommand, channelRules } from './channels.ts'
import { type Decision, type Rules, refuse } from './decision.ts'
import { type LifeCommand, lifeRules } from './life.ts'
import { type MemoryCommand, memoryRules } from './memory.ts'
import { type ProposalCommand, proposalRules } from './proposals.ts'
import { type CreatePersona, decideCreation, type SelfCommand, selfRules } from './self.ts'
import { type SkillCommand, skillRules } from './skills.ts'
import { type SleepCommand, sleepRules } from './sleep.ts'
import { type TalkCommand, talkRules } from './talk.ts'
import { type ToolServerCommand, toolServerRules } from './tool-servers.ts'
import { type ToolCommand, toolRules } from './tools.ts'
import { type TurnCommand, turnRules } from './turn.ts'
import { type Undo, undoRules } from './undo.ts'

/** What can be asked of one that is there: plain data. */
type Asked =
  | SelfCommand
  | LifeCommand
  | TalkCommand
  | TurnCommand
  | ToolCommand
  | ToolServerCommand
  | ApprovalCommand
  | SkillCommand
  | MemoryCommand
  | ProposalCommand
  | CalendarCommand
  | ChannelCommand
  | SleepCommand
  | Undo
export type Command = CreatePersona | Asked

const rules: Rules<Asked> = {
  ...selfRules,
  ...lifeRules,
  ...talkRules,
  ...turnRules,
  ...toolRules,
  ...toolServerRules,
  ...approvalRules,
  ...skillRules,
  ...memoryRules,
  ...proposalRules,
  ...calendarRules,
  ...channelRules,
  ...sleepRules,
  ...undoRules,
}

export const decide = (persona: Persona | undefined, command: Command): Decision => {
  if (command.type === 'CreatePersona')
    return persona ? refuse({ code: 'persona_exists' }) : decideCreation(command)
  if (!persona || persona.self.deleted) return refuse({ code: 'persona_unknown' })
  const over = fenced(persona, command)
  // Each row takes the command of its own type, which is this one.
  return over ? refuse(over) : rules[command.type](persona, command as never)
}

/** The fence: what an agent of an earlier life, or a turn that has ended, still wants to write is refused. */
const fenced = ({ life, talk }: Persona, command: Asked): Refusal | null => {
  if (!('life' in command)) return null
  if (!life.awake || life.life !== command.life) return { code: 'life_over' }
  return 'turn' in command && talk.turn?.id !== command.turn ? { code: 'turn_over' } : null
}
