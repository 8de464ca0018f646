/** The buttons below an approval question, and the data of a press: `a:<approval>:<decision>`. */
import type { Seq } from '../../facts/fact-values.ts'
import type { ApprovalAnswer } from '../commands/tools.ts'
import type { Button } from './platform.ts'

const labels: Readonly<Record<ApprovalAnswer, string>> = { once: 'Yes, once', always: 'Always', no: 'No' }

const isAnswer = (word: string): word is ApprovalAnswer => Object.hasOwn(labels, word)

export const createButtons = (approval: Seq): readonly Button[] =>
  Object.entries(labels).map(([decision, label]) => ({ label, data: `a:${approval}:${decision}` }))

/** Returns null if the data does not come from such a button. */
export const pressIn = (
  data: string,
): { readonly approval: Seq; readonly decision: ApprovalAnswer } | null => {
  const [, approval = '', decision = ''] = /^a:([1-9]\d{0,14}):([a-z]{1,6})$/.exec(data) ?? []
  return approval && isAnswer(decision) ? { approval: Number(approval), decision } : null
}
