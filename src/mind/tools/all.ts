/** Everything her mind can do. */
import { cancelPlan } from './cancel-plan.ts'
import { checkCalendar } from './check-calendar.ts'
import { plan } from './plan.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import type { Tool } from './tool.ts'

export const allTools: readonly Tool[] = [remember, recall, plan, cancelPlan, checkCalendar]
