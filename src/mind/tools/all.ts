/** Everything its mind can do. */
import type { PageReader } from '../../../packages/web-reading/page-reader.ts'
import { askTeacher } from './ask-teacher.ts'
import { cancelPlan } from './cancel-plan.ts'
import { checkCalendar } from './check-calendar.ts'
import { checkHealth } from './check-health.ts'
import { draw } from './draw.ts'
import { followInstruction } from './follow-instruction.ts'
import { learnInstruction } from './learn-instruction.ts'
import { lookAgain } from './look-again.ts'
import { notify } from './notify.ts'
import { plan } from './plan.ts'
import { readDocument } from './read-document.ts'
import { createReadPage } from './read-page.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import { speak } from './speak.ts'
import type { Tool } from './tool.ts'
import { useSkill } from './use-skill.ts'

/** Those that only look, and at nothing outside: a caller who is nobody it knows gets no others. */
export const readingTools: readonly Tool[] = [
  recall,
  checkCalendar,
  checkHealth,
  followInstruction,
  useSkill,
  lookAgain,
  readDocument,
]

export const allTools: readonly Tool[] = [
  remember,
  recall,
  plan,
  cancelPlan,
  checkCalendar,
  lookAgain,
  readDocument,
  draw,
  speak,
  notify,
  askTeacher,
  followInstruction,
  useSkill,
  learnInstruction,
  checkHealth,
]

/** With what reads pages of the web, where that is switched on. */
export const toolsWith = (pages: PageReader | null): readonly Tool[] =>
  pages ? [...allTools, createReadPage(pages)] : allTools
