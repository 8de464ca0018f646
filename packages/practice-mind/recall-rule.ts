/** The rule that searches all earlier conversations. */
import { isQuestion } from './clauses.ts'
import { type Rule, say, wish } from './reply.ts'

const recallPattern =
  /^(?:(?:do you (?:still )?(?:remember|know|recall)|can you (?:remember|recall|find|tell me)|tell me|remember|please find|find)(?: again)? )?(?:what|when|where|anything|something|whether|if|did|have|had|how often)? ?(?:else )?(?:have|had|did|do)? ?(?:i|we|you)(?: ever| once| just| last)? ?(?:(?:say|said|tell|told|mention|mentioned|talk|talked|speak|spoke|spoken|write|wrote|written|discuss|discussed|chat|chatted)(?: to)?(?: you| me)?)(?: anything| something)?(?: (?:about|of|on|regarding|concerning)| to you about)? ?(?<what>.*?)\??$/i

/** Earlier questions of this kind are in the conversation, too. They are never a search result. */
export const asksBack = (clause: string): boolean => recallPattern.test(clause) && isQuestion(clause)

export const recall: Rule = (clause, { tools }) => {
  if (
    !isQuestion(clause) &&
    !/^(?:what|when|did|have|do you|can you|tell me|remember|find|please find|how)\b/i.test(clause)
  )
    return undefined
  const subject = recallPattern.exec(clause)?.groups?.what
  if (subject === undefined || /^(?:you|i) (?:said|say)\b/i.test(clause)) return undefined
  if (!tools.has('recall')) return say('I have no way to look back here, so I cannot tell you what was said.')
  const query = subject
    .replace(/^(?:my|the|a|an|our|that|about)\s+/i, '')
    .replace(/\b(?:yesterday|today|before|earlier|last (?:week|month|year|time)|recently)\b/gi, '')
    .trim()
  return query
    ? wish({ name: 'recall', input: { query, limit: 20 } })
    : say('About what? Tell me a word of it, and I will look for it.')
}
