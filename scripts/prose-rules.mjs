/** Patterns of unclear English: a name for the report, an expression, and an optional exception. */

const conditionBefore =
  '(?:^|[,;:(] ?|\\b(?:null|none|undefined|false|true|only|also|but|unless|and|or|except|one|that|it|them|those|nothing|zero|empty|again|later|else|here|throws|rejects) )'
const conditionAfter =
  '(?: (?:there|it|they|one|that|this|he|she|you|we|i|a|an|the|no|none|nothing|not|neither|each|every|some|any|all|both|its|their|his|more|less|only|two|several|many)\\b)'

const rules = [
  ['where for if', new RegExp(`${conditionBefore}where${conditionAfter}`, 'i')],
  [
    'what … as a noun',
    /\bwhat(?:ever)?\b(?! to\b)(?! (?:if|about)\b)/i,
    /\?$|\bno matter what|\b(?:know|knows|knew|learn|decide|decides|guess|find out|see|sees|ask|asks|asked|show|shows|explain|explains|check|checks) what\b/i,
  ],
  ['indefinite person', /\b(?:whoever|whomever|whosoever|somebody|nobody|anybody|everybody)\b/i],
  ['those who/whose', /\b(?:those|them|one|ones) (?:whose|of whom|of which|of them that|of it that)\b/i],
  [
    'archaism',
    /\b(?:anew|amiss|befalls?|befell|seldom(?:er)?|for ever|thereby|whence|thence|hence|wherein|thereof|lest|nay|hitherto|henceforth|aright|nought|naught|of old|at last|in vain|ere)\b/i,
  ],
  [
    'speech for data flow',
    /\b(?:tells?|told|telling|hears?|heard|is said|are said|was said|were said|says so|said so|gives? its word|in words)\b/i,
  ],
  [
    'lying and standing',
    /\b(?:lies|lie|lay|lain|laid|stands|stand|stood|standing) (?:there|in|on|at|for it|below|beside|beneath|before|behind|alone|still|where|down|apart|open|above|under|over|with|outside|inside|elsewhere|ready|as|so|by|not|and|or|now|nowhere)\b/i,
  ],
  [
    'going on',
    /\b(?:goes|go|going|went|gone) (?:on|over|by|its way|astray|out of|without)\b|\b(?:taken?|takes|took) (?:up|for|it for|part in it)\b|\b(?:lets?|letting) (?:go|it|them|him|others)\b|\bcome(?:s)? (?:of|to|about|between|by)\b|\bcame (?:of|about|between|by)\b/i,
  ],
  [
    'something … of it',
    /\b(?:nothing|much|little|more|all|none|any|most|some|part|rest|many|one|each|either|neither) of (?:it|this|that)\b/i,
  ],
  [
    'no such / of the kind',
    /\b(?:no such|such a one|of the kind|so long as|as long as it|all the same|of its own accord|by chance|at will|as it were|so to say|for good)\b/i,
  ],
  ['that had …', /\bthat (?:had|has|have) (?:none|nothing|no)\b/i],
  ['inverted', /^(?:Of|To|By|From|Beside|Behind|Beneath|With) (?:it|them|these|those|whom|which|each|one)\b/],
  [
    'personification',
    /\b(?:house|wishes|wants|likes|pleases|is content|knows nothing|knows of|knows no|hands? (?:on|over)|is owed|owes|befriends|its word|their word|dwells?|lives in)\b/i,
  ],
]

/** Returns the name of the first rule that a sentence breaks, else null. */
export const findDialect = (sentence) => {
  for (const [name, pattern, exception] of rules)
    if (pattern.test(sentence) && !exception?.test(sentence)) return name
  return null
}
