/** English words about plans: reminders, appointments, cancelling and moving. */
import { elsewhereEvent, guessPart, listPattern, readAppointment, readReminder } from './read-plans.ts'

export const plans = {
  readReminder,
  readAppointment,
  guessPart,
  elsewhere: elsewhereEvent,
  listPattern,
  cannotPlan: 'I have no way to plan anything here, so I cannot promise to remind you.',
  noClock: 'I cannot see a clock here, so I do not know when that is.',
  noCalendar: 'I cannot see your calendar here.',
  knowsOnlyClock: 'I know the clock, and not what happens elsewhere.',
  trimTitle: (content: string) =>
    content
      .replace(/^[\s:,–—-]+/, '')
      .replace(/^(?:to|that|about|of) /i, '')
      .replace(/(?<![\s.,!])[\s.,!]+(?:please[\s.,!]*)?$/i, '')
      .replace(/,? please$/i, ''),
  /** A title that refers to the user's message before. */
  earlierMessage: /^(?:it|that|this|them)?$/i,
  cancels: /\b(?:cancel|delete|remove)\b/i,
  whenQuestion: /^(?:when|(?:at )?what time|what day)\b/i,
  ranges: {
    today: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/i,
    afterTomorrow: /\bday after tomorrow\b/i,
    tomorrow: /\btomorrow\b/i,
    thisWeek: /\bthis week\b/i,
    nextWeek: /\bnext week\b/i,
  },
  none: 'Nothing is planned.',
  listHead: 'This is planned:',
}

const planNouns =
  '(?:reminders?|alarms?|plans?|appointments?|meetings?|entry|entries|schedule|calendar|event)'
const cancelPattern = new RegExp(
  `^(?:please |can you |could you |would you )*(?:cancel|call off|delete|remove|drop|clear|stop|scratch)\\b(?<what>.*)$|^(?:please )?forget (?:about )?(?!that (?:i|my|we)\\b)(?<forgotten>.*\\b${planNouns}\\b.*)$|^i (?:don't|do not) need (?<unneeded>.*\\b${planNouns}\\b.*?)(?: any ?more| any longer)?$|^(?:don't|do not|stop) remind(?:ing)? me(?<rest>.*)$`,
  'is',
)

const fillerWords = new RegExp(`\\b(?:the|my|that|this|it|about|to|for|of|please|${planNouns})\\b`, 'gi')

export const cancel = {
  pattern: cancelPattern,
  planNoun: new RegExp(planNouns, 'i'),
  removeFillers: (target: string) => target.replace(/'s\b/g, ' ').replace(fillerWords, ' '),
  meansAll: /\b(?:all|every|everything|both)\b/i,
  /** Verbs that only refer to plans. */
  onlyPlans: /\b(?:cancel|call off)\b/i,
  reminders: /\breminders?\b/i,
  appointments: /\b(?:appointments?|meetings?|event)\b/i,
  /** Singular and plural. */
  nouns: {
    reminder: ['reminder', 'reminders'],
    schedule: ['appointment', 'appointments'],
    any: ['plan', 'plans'],
  } as Readonly<Record<'reminder' | 'schedule' | 'any', readonly [string, string]>>,
  cannotCancel: 'I have no way to cancel anything here.',
  nothingToCancel: 'There is nothing planned that I could cancel.',
  noneOfKind: (visible: number, later: number) =>
    `Among the next ${visible} plans is none of that kind, and I do not see the ${later} later ones.`,
  notFound: 'I do not find that among your plans.',
  whichOne: (plans: string) => `Which one? ${plans}?`,
}

const movePattern =
  /^(?:please |can you |could you )*(?:move|change|shift|postpone|reschedule|push|delay)\b(?<what>.*?)\b(?:to|until|till|by|for)\b (?<when>.+?)\??$|^(?:no|wait|actually|sorry|make (?:it|that)|i meant|rather|better)\b[,]? ?(?:i meant |make it |rather |better )?(?<instead>.+?)(?: instead| rather)?$/is

export const moving = {
  pattern: movePattern,
  request: /^(?:please |can you |could you )*(?:move|change|shift|postpone|reschedule|push|delay)\b/i,
  spokeOfPlan: /\b(?:remind you|calendar|moved it|is planned)\b/,
  nothing: 'There is nothing planned that I could move.',
}

/** Replies to "What shall I call you?" that are not a name. */
const notAName =
  /^(?:thanks?|thx|cheers|please|sorry|yes|yeah|yep|sure|okay|ok|fine|good|great|nice|well|maybe|later|why|how|when|hey|bye|goodbye|good ?night|guess|whatever|anything|you|i|it|that|this|the|tell|help|stop|never|not|don't|remind|remember|forget|delete|cancel|move|plan|schedule|set|list|show|draw|speak|say|look|read|ask|check|call me|be|my|our|we|he|she|they|do|can|could|would|is|are|let)\b/i

/** Filler words around a time. */
const fillers =
  /^(?:(?:please|maybe|perhaps|say|let's say|how about|what about|make it|then|i think|it should be|better|rather|ok|okay|yes|remind me|do it|just|i mean|i'd say)\b,?\s*)+|(?<!\s)\s*(?:,\s*)?\b(?:please|then|i think|would be (?:good|fine|great|nice|perfect)|is (?:good|fine|great|perfect)|(?:would )?suits? me|or so)$/gi

/** The beginning of a complete sentence. */
const sentenceStart =
  /^(?:(?:i|you|we|he|she|it|they|there|who|that|this|everything|nothing|nobody|everybody)(?:'\w+)? \S|(?:i|you|we|he|she|it|they|there|that)'\w+|(?:the|this|that|these|those|my|our|your|his|her|their) .*\b(?:is|are|was|were|am|has|have|had|will|would|can|could|should|must)(?:n't)?\b)/i
const commandStart =
  /^(?:please |just )*(?:be|call me|tell me|show|list|forget|delete|erase|remove|drop|stop|move|shift|postpone|reschedule|remember|let me|never|don't|do not|wait|help)\b/i

export const followUp = {
  nameQuestion: 'What shall I call you?',
  /** In greetings of characters, next to other questions. */
  otherNameQuestion: /\b(?:what (?:shall|should|may|can) i call you|what(?:'s| is) your name|who are you)\b/i,
  myNameIs: 'my name is',
  /** Words before a name that answers the question. */
  nameStart: /^(?:(?:hi|hello|hey)[,!]? )?(?:i'm|i am|im|it's|just) (?=\p{L}+[.!]?$)/iu,
  dropsQuestion: /^(?:never ?mind|forget it|no\b|nothing|cancel|what|who|where|(?:hello|hi)[\s!.]*$)/i,
  choice: /Do you mean (\d+ \w+) or (\d+ \w+)\?/,
  notAName,
  fillers,
  bareHour: /^(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i,
  bareRequest: /^(?:please )?remind me(?: then| again| please)*$/i,
  taskPrefix: /^(?:to|about|of) \S/i,
  /** Words before a task that are not part of it. */
  taskWords: /^(?:please )?(?:remind me )?(?:to|that|about|of) /i,
  task: /^(?:please )?(?:remind me )?(?:to|about|of) \S|^that (?!is\b|was\b|would\b|will\b)\S/i,
  emptyAnswer:
    /^(?:yes|yeah|yep|sure|ok|okay|fine|right|really|hm+|maybe|always|never|anything|something|it|that|this)$/i,
  sentenceStart,
  commandStart,
  remindMe: 'remind me',
  addTask: (request: string, task: string) => `${request}to ${task}`,
  /** The time precedes the task, so that it cannot be appended to the request. */
  isTimeFirst: false,
  request: (kind: 'reminder' | 'schedule', content: string, time: string) =>
    `${kind === 'schedule' ? 'schedule' : 'remind me to'} ${content} ${time}`,
  /** The old time at the end of a request to move a plan. */
  timeOfMove: /^(.*\b(?:to|until|till|by|for)) .*$/is,
  datePrefix: /^(?:i mean |on |the )+/i,
  first: /^first(?: one)?$/i,
  second: /^second(?: one)?$/i,
  ambiguousDate: /(?:\bon )?\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?/,
}

export const reminder = {
  due: (name: string, content: string) => `It is time${name}, as you asked: ${content}`,
  late: (name: string, time: string, content: string) =>
    `This comes late${name}, I am sorry. It was planned for ${time.replace(/^on /, '')}: ${content}`,
}
