/** Replaces synonyms with the words that the rules match: "ping me", "set a timer", "I forgot where …". */

import type { Replacement } from '../clauses.ts'

export const wordings: readonly Replacement[] = [
  [/^(?:please )?remind me (?:again )?(?=(?:what|where|who|which|how)\b)/i, 'tell me '],
  [
    /^i(?:'ve| have)? (?:just )?(?:forgot|forgotten|can't remember|cannot remember|don't remember|can't recall) (?=(?:my|our|the|what|where|when|who|which|how)\b)/i,
    'tell me ',
  ],
  [/^(?:please )?(?:give|show|send) me (?=(?:my|our|the) )/i, 'tell me '],
  [/^(?:please )?(?:don't|do not|never) forget that /i, 'remember that '],
  [/^note to (?:my)?self[:,]? /i, 'remember that '],
  [/\b(?:ping|nudge|alert|notify|buzz|prompt) me\b/i, 'remind me'],
  [/\b(?:give me|send me) an? (?:nudge|ping|shout|heads-up|notification|alert)\b/i, 'remind me'],
  [/^(?:please )?set (?:my |the |up )?(?=(?:alarm|reminder)\b)/i, 'set an '],
  [/^(?:alarm|wake-?up call)(?: clock)?:?(?= (?:for|at|on|tomorrow|in|every|\d))/i, 'set an alarm'],
  [
    /^(?:please )?(?:set|start) (?:an? )?(?:timer|countdown) (?:for|of) /i,
    'remind me that the time is up in ',
  ],
  [/^(?:please )?timer:? (?:for )?(?=\d)/i, 'remind me that the time is up in '],
  [
    /^(?:please )?(?:set|start) an? (\d{1,4})[ -](second|minute|hour) (?:timer|countdown)$/i,
    'remind me that the time is up in $1 $2s',
  ],
  [/^((?:in|at|on|tomorrow|tonight|this|next)\b[^,.;:]{0,40}?),? tell me to /i, '$1 remind me to '],
  [/^(?:please )?tell me (?=(?:in|at|on|tomorrow|tonight) [^,.;:]{0,40} to )/i, 'remind me '],
]
