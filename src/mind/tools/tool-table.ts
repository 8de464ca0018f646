/** All built-in tools. */
import type { PageReader } from '../../../packages/web-reading/page-reader.ts'
import { askTeacher } from './ask-teacher.ts'
import { checkHealth } from './check-health.ts'
import { createCheckMail, type MailToolDeps } from './check-mail.ts'
import { draw } from './draw.ts'
import { instruction, readOnly as readInstruction } from './instruction.ts'
import { lookAgain } from './look-again.ts'
import { notify } from './notify.ts'
import { createOpenMail } from './open-mail.ts'
import { listOnly as listPlans, plan } from './plan.ts'
import { createReadCalendars, type ReadCalendarsDeps } from './read-calendars.ts'
import { readDocument } from './read-document.ts'
import { createReadPage } from './read-page.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import { createSearchWeb, type SearchWebDeps } from './search-web.ts'
import { speak } from './speak.ts'
import type { Tool } from './tool.ts'
import { useSkill } from './use-skill.ts'

/** Tools that only read the persona's own data. API callers who are not the user get no others. */
export const readingTools: readonly Tool[] = [
  recall,
  listPlans,
  readInstruction,
  useSkill,
  lookAgain,
  readDocument,
]

export const allTools: readonly Tool[] = [
  remember,
  recall,
  plan,
  lookAgain,
  readDocument,
  draw,
  speak,
  notify,
  askTeacher,
  instruction,
  useSkill,
]

/** Models that know the name can call it, but no prompt lists it. */
export const unlistedTools: readonly Tool[] = [checkHealth]

/** Adds the tools for the web, calendars and mail, if they are enabled. */
export const toolsWith = (
  pages: PageReader | null,
  search: SearchWebDeps | null,
  calendars: ReadCalendarsDeps | null,
  mail: MailToolDeps | null,
): readonly Tool[] => [
  ...allTools,
  ...(calendars ? [createReadCalendars(calendars)] : []),
  ...(mail ? [createCheckMail(mail), createOpenMail(mail)] : []),
  ...(search ? [createSearchWeb(search)] : []),
  ...(pages ? [createReadPage(pages)] : []),
]
