/** Everything the practice mind needs to understand and to speak English. */
import type { Slot } from '../../../facts/fact-values.ts'
import type { Clearing } from '../moment.ts'
import { list, lowerFirst } from '../reply.ts'
import { aboutThem, asClause, asName, lowerSubject, toThem } from './clause-grammar.ts'
import { clauses, isQuestion } from './clauses.ts'
import { factWords } from './facts.ts'
import {
  answers,
  changes,
  character,
  ended,
  factTexts,
  forget,
  keptWords,
  knownTexts,
  lists,
  recall,
} from './memory-words.ts'
import { peel } from './peel-times.ts'
import { cancel, followUp, moving, plans, reminder } from './plan-words.ts'
import { files, privacy } from './privacy-words.ts'
import { questions } from './questions.ts'
import { sayDay, saySpan, sayWhen } from './say-when.ts'

export const giveMind = 'on the page, with the button “Get a real model” or under Settings'
export const standIn =
  'I run on the practice model: a small set of rules inside Daimon, not a real language model.'

export const english = {
  and: 'and',
  or: 'or',
  at: 'at',
  on: 'on',
  quote: (text: string) => `“${text}”`,
  requestPrefix: /^(?:please |can you |could you |would you |will you )*/i,

  standIn,
  standInWord: 'stand-in',
  notice: `A word about me: ${standIn} You can give me a real one: ${giveMind}.`,
  keepsNothing:
    'I keep nothing of what is said here: tell me in our own conversation what I should remember or remind you of.',

  clauses,
  isQuestion,
  peel,
  sayDay,
  sayWhen,
  saySpan,
  aboutThem,
  toThem,
  asName,
  asClause,
  isOwnStatement: (statement: string) => /^(?:They|Their|On their)\b|^(?:Not a|A)llowed: /.test(statement),

  facts: { ...factWords, ...factTexts },
  ended,
  changes,
  keptWords,
  lists,
  answers,
  known: knownTexts,
  forget,
  recall,
  character,
  plans,
  questions,
  cancel,
  moving,
  followUp,
  reminder,
  privacy,
  files,

  /** Replies to messages that are not a sentence. */
  odd: {
    foreign: (language: string) =>
      `That looks like ${language}. I am sorry, I do not speak it: I understand only simple English and German. A real model may speak it: you give me one ${giveMind}.`,
    long: 'That is long, longer than I can follow. It is in our conversation all the same.',
    sadSign: /[😢😭😞😔😟🙁☹😿💔😥😓😩😫🥺]/u,
    happySign: /[😀😃😄😁😆😂🤣😊🙂😍🥰😘🎉🥳👍❤🤗😎😉🤩💪]|^\s*[:;]-?[)D]/u,
    sad: ['Oh. That does not look like a good moment. What happened?', 'That looks sad. I am here.'],
    happy: ['That looks like good news!', 'I am glad. What happened?'],
    sign: [
      'I see. Words I understand better than pictures, though.',
      'I am not sure what that means. Tell me in words?',
    ],
    noWords: ['I see no words in that. What would you like to say?', 'Take your time. I am here.'],
    onlyName: ['Yes, I am here.', 'I am listening.'],
    passedOn:
      'Thank you, I have read what you passed on. Tell me in your own words if I shall do something with it.',
    nothingHeard: ['I am here.', 'Yes?', 'I am listening.'],
  },

  webSearch: {
    forms: [
      /^(?:search|look on|check|browse) (?:the )?(?:web|internet|net|online) (?:for|about|to find) (?<query>.+)$/i,
      /^(?:search|look) (?:up )?(?:online|on the (?:web|internet)) (?:for|about) (?<query>.+)$/i,
      /^(?:search|look) for (?<query>.+?) (?:online|on the (?:web|internet|net)|in the (?:web|internet))$/i,
      /^look up (?<query>.+?)(?: (?:online|on the (?:web|internet|net)))?$/i,
      /^look (?<query>(?!it |that |this |them |me |us )[^,]{2,80}) up(?: (?:online|on the (?:web|internet|net)))?$/i,
      /^(?:google|web search for|do a web search (?:for|about)) (?<query>.+)$/i,
      /^find (?:out )?(?:something |information )?(?:about )?(?<query>.+?) (?:online|on the (?:web|internet|net))$/i,
    ] as readonly RegExp[],
    /** Requests about the conversation, which another rule answers. */
    ownTalk:
      /\b(?:what (?:i|we) (?:said|told|wrote)|my (?:plans?|reminders?|appointments?|calendar)|our (?:talk|conversation|chat))\b/i,
    cannot: 'I cannot search the web here: the search is switched off, or this talk has no way to it.',
    found: (query: string) => `I searched the web for “${query}”. I only repeat what these pages say:`,
    nothing: (query: string) => `I searched the web for “${query}” and found nothing.`,
    unavailable:
      'I could not search the web: no search service can be used now. It is switched off, or its limit for today is reached.',
    notAllowed:
      'I may not search the web: you have not allowed it. You can allow it on the page, under Tools.',
  },

  organs: {
    forms: [
      ['draw', /^(?:draw|paint|sketch)(?: (?:me|us))? (.+)$/i],
      ['draw', /^(?:make|show)(?: (?:me|us))? an? (?:picture|drawing|painting|image) of (.+)$/i],
      ['speak', /^(?:say|read) (.+?) (?:aloud|out loud)$/i],
      ['speak', /^(?:say|read) (?:aloud|out loud):? (.+)$/i],
      ['ask', /^ask your teacher(?: about| what| how| whether|:)? (.+)$/i],
      ['look', /^look (?:again )?at (?:it|that|the (?:picture|photo|image))(?: again)?(?:[:,]? (.+))?$/i],
      ['listen', /^listen (?:again )?to (?:it|that|the (?:clip|recording|message))(?: again)?()$/i],
      ['read', /^read (?:it|that|the (?:document|file|text|letter))(?: to me| again)?()$/i],
    ] as readonly (readonly ['draw' | 'speak' | 'ask' | 'look' | 'listen' | 'read', RegExp])[],
    that: /^(?:it|that|this)$/i,
    whatIsInIt: 'What is in it?',
    missing: { draw: 'Imagination', speak: 'Mouth', ask_teacher: 'Teacher', look_again: 'Eye' },
    tellMissing: (attempt: string, organ: string) =>
      `I cannot ${attempt}: I have no ${organ}. One can be given to me ${giveMind}.`,
    tellFile: (name: string, by: Slot, text: string) => {
      const organ = { eye: 'Eye', ear: 'Ear', researcher: 'Researcher', thinking: 'own reading of it' }
      return `Thank you for “${name}”. My ${Object.entries(organ).find(([slot]) => slot === by)?.[1] ?? by} says: ${text}`
    },
  },

  /** Results of tools. */
  told: {
    niceToMeet: (name: string) => `Nice to meet you, ${name}.`,
    remembered: (clauses: readonly string[]) =>
      `I will remember that ${list(clauses, 'and that').replaceAll(', you', ', that you')}.`,
    revised: (clauses: readonly string[]) => `I have put it right: ${list(clauses, 'and')}.`,
    /** The answer says that something was stored. */
    keepsSomething: /\b(?:I will remember that|I have put it right)\b/,
    plainClauses: (answer: string) => answer.replaceAll(', that you', ', you'),
    forgotten: (count: number) =>
      count === 1 ? 'Done, I have forgotten that.' : `Done, I have forgotten those ${count} things.`,
    moved: (time: string, content: string) => `I have moved it: ${time}, ${content}.`,
    inCalendar: (time: string, content: string) => `It is in your calendar, ${time}: ${content}.`,
    reminder: (time: string, content: string) => `I will remind you ${time}: ${content}.`,
    partlyCancelled: ({ cancelled, kind, later }: Clearing) =>
      `The next ${cancelled} ${kind} ${cancelled === 1 ? 'is' : 'are'} cancelled, but ${later} later ${later === 1 ? 'plan is left as it is' : 'plans are left as they are'}.`,
    allCancelled: ({ cancelled, kind }: Clearing) => `Done, all ${cancelled} ${kind} are cancelled.`,
    cancelled: (count: number) =>
      count === 1 ? 'Done, it is cancelled.' : `Done, those ${count} are cancelled.`,
    sent: 'It is sent.',
    drawn: 'Here it is, as I imagine it.',
    spoken: 'I have said it aloud.',
    advice: (text: string) => `My Teacher says: ${text}`,
    heardAgain: (text: string) => `I have listened again: ${text}`,
    seenAgain: (text: string) => `I have looked again: ${text}`,
    read: (text: string) => `It says: “${text}”`,
  },
  found: {
    nothing: (query: string) => `I find nothing about “${query}” in what we have said.`,
    unknown: (query: string) =>
      `I do not know that: I know only what you tell me, and I find nothing about “${query}” in what we have said.`,
    forgotten: (query: string) =>
      `I was to forget something about “${query}”, so I do not know it. What we said stays in our conversation.`,
    memories: (sentences: string) => `I remember: ${sentences}`,
    elsewhere: 'You talked about it elsewhere:',
    messages: 'You said:',
    sometime: 'at some time',
    at: (day: string, time: string | undefined) => `${day}${time ? ` at ${time}` : ''}`,
  },
  attempts: {
    remember: 'change what I remember',
    plan: 'plan that',
    'plan cancel': 'cancel that',
    'plan list': 'look at your calendar',
    recall: 'look back',
    search_web: 'search the web',
    draw: 'draw that',
    speak: 'say that aloud',
    ask_teacher: 'ask my Teacher',
    look_again: 'look at that again',
    read_document: 'read that',
  } as Readonly<Record<string, string>>,
  failure: {
    use: (tool: string) => `use “${tool}”`,
    unknown: (attempt: string) => `I tried to ${attempt}, and do not know whether it worked.`,
    known: (attempt: string, reason: string) => `I could not ${attempt}${reason ? `: ${reason}` : ''}.`,
  },

  /** Texts of the consolidation, which only the persona reads. */
  day: {
    standInNote: 'They know that the practice mind is a stand-in.',
    lastSaid: (words: string) => `They last said: “${words}”`,
    andAsked: (question: string) => `, and I asked: “${question}”`,
    wrote: (userCount: number, personaCount: number, languages: string) =>
      `They wrote ${formatCount(userCount)}${languages ? ` (some in ${languages}, which I do not understand)` : ''} and I wrote ${formatCount(personaCount)}.`,
    told: (items: string, isPart: boolean) =>
      `They told me${isPart ? ', among other things' : ''}: ${items}.`,
    ownSummary:
      /(?:^| )They wrote (\d+) messages?(?: \(some in ([^()]+), which I do not understand\))? and I wrote (\d+) messages?\.(?: They told me(?:, among other things)?: (.+))?$/s,
    toClause: (statement: string, document: string) => {
      if (document === 'persona-trait') return `they want me to ${lowerFirst(statement)}`
      const [, negation, allowedAction] = /^(Not a|A)llowed: (.+)$/.exec(statement) ?? []
      if (allowedAction) return `I may ${negation === 'Not a' ? 'not ' : ''}${allowedAction}`
      return lowerSubject(statement)
    },
  },
}

export type Words = typeof english

const formatCount = (n: number): string => `${n} ${n === 1 ? 'message' : 'messages'}`
