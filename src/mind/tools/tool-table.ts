/** All built-in tools. */
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

/** Tools that only read the persona's own data. API callers who are not the user get no others. */
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

/** Adds read_page if reading web pages is enabled. */
export const toolsWith = (pages: PageReader | null): readonly Tool[] =>
  pages ? [...allTools, createReadPage(pages)] : allTools
