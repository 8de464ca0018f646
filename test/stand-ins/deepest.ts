/**
 * Chooses the one error of a request to report. If a value may have several forms, it is an error of the
 * closest form.
 */
import type * as z from 'zod'

export interface NamedIssue {
  readonly issue: z.core.$ZodIssue | undefined
  readonly path: readonly PropertyKey[]
}

export const findDeepestIssue = ({
  issues: [issue],
}: {
  readonly issues: readonly z.core.$ZodIssue[]
}): NamedIssue => {
  if (issue?.code !== 'invalid_union') return { issue, path: issue?.path ?? [] }
  const forms = issue.errors.map((issues) => findDeepestIssue({ issues })).filter((form) => form.issue)
  const [nearest] = forms.sort((a, b) => b.path.length - a.path.length)
  return nearest && nearest.path.length > 0
    ? { issue: nearest.issue, path: [...issue.path, ...nearest.path] }
    : { issue, path: issue.path }
}
