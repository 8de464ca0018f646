/** The rules of personas: a state and a command in, facts or a refusal out. Never throws, never waits. */
import type { Persona } from '../../../projections/persona.ts'
import type { Refusal } from '../refusals.ts'
import { type ApprovalCommand, approvalRules } from './approvals.ts'
import { type CalendarCommand, calendarRules } from './calendar.ts'
import { type ChannelCommand, channelRules } from './channels.ts'
import { type Decision, type Rules, refuse } from './decision.ts'
import { type InitiativeCommand, initiativeRules } from './initiative.ts'
import { type LifecycleCommand, lifecycleRules } from './lifecycle.ts'
import { type MailCommand, mailRules } from './mail.ts'
import { type MemoryCommand, memoryRules } from './memory.ts'
import { type OrganHealthCommand, organHealthRules } from './organ-health.ts'
import { type CreatePersona, decideCreation, type PersonaCommand, personaRules } from './persona.ts'
import { type PortraitCommand, portraitRules } from './portrait.ts'
import { type ProposalCommand, proposalRules } from './proposals.ts'
import { type ResponseCommand, responseRules } from './responses.ts'
import { type SkillCommand, skillRules } from './skills.ts'
import { type SleepCommand, sleepRules } from './sleep.ts'
import { type TalkCommand, talkRules } from './talk.ts'
import { type ToolServerCommand, toolServerRules } from './tool-servers.ts'
import { type ToolCommand, toolRules } from './tools.ts'
import { type TurnCommand, turnRules } from './turn.ts'
import { type Undo, undoRules } from './undo.ts'

/** Commands for an existing persona: plain data. */
type ExistingCommand =
  | PersonaCommand
  | LifecycleCommand
  | OrganHealthCommand
  | TalkCommand
  | TurnCommand
  | ToolCommand
  | ToolServerCommand
  | ApprovalCommand
  | SkillCommand
  | PortraitCommand
  | MemoryCommand
  | ProposalCommand
  | CalendarCommand
  | ChannelCommand
  | SleepCommand
  | InitiativeCommand
  | ResponseCommand
  | MailCommand
  | Undo
export type Command = CreatePersona | ExistingCommand

const rules: Rules<ExistingCommand> = {
  ...personaRules,
  ...lifecycleRules,
  ...organHealthRules,
  ...talkRules,
  ...turnRules,
  ...toolRules,
  ...toolServerRules,
  ...approvalRules,
  ...skillRules,
  ...portraitRules,
  ...memoryRules,
  ...proposalRules,
  ...calendarRules,
  ...channelRules,
  ...sleepRules,
  ...initiativeRules,
  ...responseRules,
  ...mailRules,
  ...undoRules,
}

export const decide = (persona: Persona | undefined, command: Command): Decision => {
  if (command.type === 'CreatePersona')
    return persona ? refuse({ code: 'persona_exists' }) : decideCreation(command)
  if (!persona || persona.self.deleted) return refuse({ code: 'persona_unknown' })
  const refusal = checkFence(persona, command)
  // Each rule takes the command of its own type.
  return refusal ? refuse(refusal) : rules[command.type](persona, command as never)
}

/** Rejects writes of an agent from an earlier life, or of an ended turn. */
const checkFence = ({ life, talk }: Persona, command: ExistingCommand): Refusal | null => {
  if (!('life' in command)) return null
  if (!life.awake || life.life !== command.life) return { code: 'life_over' }
  return 'turn' in command && talk.turn?.id !== command.turn ? { code: 'turn_over' } : null
}
