/** Rules for questions about data: where messages are stored, who sees them, and how to delete them. */
import { type Rule, say } from './reply.ts'
import { wordsOf } from './words.ts'

export const deleteData: Rule = (clause, situation) => {
  const { privacy } = wordsOf(situation)
  if (privacy.deletesPersona.test(clause)) return say(privacy.howToDelete)
  if (!privacy.deletesData.test(clause)) return undefined
  return say(privacy.tellStored(situation.statements.length))
}

export const explainPrivacy: Rule = (clause, situation) => {
  const { privacy } = wordsOf(situation)
  if (privacy.storageQuestion.test(clause)) return say(privacy.storage)
  if (privacy.accessQuestion.test(clause)) return say(privacy.access)
  return privacy.exportQuestion.test(clause) ? say(privacy.export) : undefined
}

/** Files that have arrived are handled by an organ. */
export const explainFiles: Rule = (clause, situation) => {
  const { isAbout, action, specific, explanation } = wordsOf(situation).files
  return isAbout.test(clause) && action.test(clause) && !specific.test(clause) ? say(explanation) : undefined
}
