/**
 * Rules of casual conversation: greetings, thanks, questions about the persona, moods, and requests that it
 * cannot fulfil.
 */
import { answerTo } from './answers.ts'
import { isQuestion } from './clauses.ts'
import { changeName, giveMind } from './help-links.ts'
import { getStatementSubject } from './person-facts.ts'
import { asName } from './pronouns.ts'
import { chat, type Rule, say, vary } from './reply.ts'
import type { Situation } from './situation.ts'
import { introduceSelf, varyInCharacter } from './tastes.ts'
import { capital, getWeekday, sayDay, weekdays } from './wall-clock.ts'

/** Returns the user's name after a comma, or an empty string if the name is unknown. */
export const address = ({ statements }: Situation): string => {
  for (const subject of ['called', 'name']) {
    const text = statements.findLast((statement) => getStatementSubject(statement.text) === subject)?.text
    const name = text && /(?:called|name is) (.+?)\.?$/s.exec(text)?.[1]
    if (name) return `, ${asName(name.split(' ')[0] ?? name)}`
  }
  return ''
}

export const standIn = 'I am a stand-in: a small set of rules that lives inside Daimon, not a real mind.'
export const notice = `A word about me: ${standIn} You can give me a real one: ${giveMind}.`

export const speakFirst = (situation: Situation): string =>
  varyInCharacter(situation, greeting, [
    `Hello${address(situation)}! I am ${situation.name}. What shall I remember for you?`,
  ])

const greeting = /^(?:hi|hello|hey|welcome|greetings|well met|good (?:morning|day|evening))\b/i
const thanks =
  /^(?:you are welcome|you're welcome|gladly|with pleasure|my pleasure|any time|don't mention)\b/i

/**
 * `light`: may be left out if there is another reply. `last`: only used if the clause does not ask for known
 * facts.
 */
type Talk = readonly [RegExp, (situation: Situation, clause: string) => string, ('light' | 'last')?]

const refuseAbility = (ability: string) => (situation: Situation) =>
  vary(situation, [
    `I cannot ${ability}: I am a stand-in and work by a few rules. I can remember what you tell me, remind you of things, and look up what you have said.`,
    `That is beyond me, I cannot ${ability}. What I can do is remember, remind, and look back.`,
  ])

const talks: readonly Talk[] = [
  [
    /^(?:good )?(?<part>morning|afternoon|evening)$/i,
    (situation, clause) =>
      `Good ${/morning|afternoon|evening/i.exec(clause)?.[0].toLowerCase()}${address(situation)}! ${vary(situation, ['It is good to hear from you.', 'What is on your mind?', 'I am here.'])}`,
    'light',
  ],
  [
    /^good (?:morning|afternoon|evening|day)\b.{0,15}$/i,
    (situation, clause) =>
      `Good ${/morning|afternoon|evening|day/i.exec(clause)?.[0].toLowerCase()}${address(situation)}! ${vary(situation, ['It is good to hear from you.', 'What is on your mind?', 'I am here.'])}`,
    'light',
  ],
  [
    /^(?:hi+|hello+|hey+|hiya|howdy|yo|greetings|sup|hullo)(?: (?:there|again|you|everyone|friend|dear))*$|^(?:anybody|anyone|are you) (?:there|here|home)\??$|^nice to meet you\b.*$/i,
    (situation) =>
      varyInCharacter(situation, greeting, [
        `Hello${address(situation)}! It is good to hear from you.`,
        `Hi${address(situation)}! What is on your mind?`,
        `Hello again${address(situation)}. I am here.`,
      ]),
    'light',
  ],
  [
    /^(?:how are you|how(?:'s| is) it going|how do you do|how are things|how do you feel|are you (?:ok|okay|well|alright)|what(?:'s| is) up|how have you been|how(?:'s| is) your day|how you doing|you ok)\b.*$/i,
    (situation) =>
      vary(situation, [
        'I am well, thank you: every rule in its place. How are you?',
        'Quiet and content, thank you. And you?',
        'Well, thank you for asking. How is your day?',
      ]),
    'light',
  ],
  [
    /^(?:many |thank|thanks|thx|ty\b|cheers|much appreciated|that(?:'s| is) (?:very )?(?:kind|nice|helpful))\b.*$/i,
    (situation) => varyInCharacter(situation, thanks, ['You are welcome.', 'Gladly.', 'With pleasure.']),
    'light',
  ],
  [
    /^(?:good ?bye|bye+|see (?:you|ya)|good ?night|farewell|talk (?:to you )?(?:later|soon)|i (?:have to|must|need to) go|i'm off|take care|later|ciao)\b.*$/i,
    (situation, clause) =>
      /night/i.test(clause)
        ? `Good night${address(situation)}. I keep what you told me.`
        : `Goodbye${address(situation)}. I am here whenever you come back.`,
    'light',
  ],
  [
    /^(?:who|what) (?:exactly )?are you\b(?! (?:doing|up to|able|allowed|talking)).*$|^(?:tell me|say something) about (?:yourself|you)\??$|^introduce yourself$|^what(?:'s| is) (?:a |this )?(?:embedded\/)?practice\??$/i,
    (situation) =>
      `I am ${situation.name}. ${introduceSelf(situation)}${standIn} I can remember what you tell me, remind you of things, and look up what you have said. A real mind can be given to me ${giveMind}.`,
  ],
  [
    /^are you (?:an? |really |just )*(?:robot|bot|human|person|ai|machine|real|computer|program|llm|chatgpt|model|alive|conscious)\b.*$/i,
    () => `No person, and no real mind either. ${standIn}`,
  ],
  [
    /^(?:what(?:'s| is) your name|do you have a name|your name|what (?:should|can|do) i call you|who am i (?:talking|speaking) (?:to|with))\??$/i,
    ({ name }) => `My name is ${name}.`,
  ],
  [
    /^(?:help|what (?:can|else can) (?:you|i) (?:do|ask|say)(?: here| for me| you)?|what are you (?:able to do|good (?:at|for))|how (?:do|can) (?:i|you) (?:use|work|help)\b.*|can you help(?: me)?|what do you do|i need (?:your |some )?help)\??$/i,
    () =>
      `I can remember what you tell me (“My name is …”, “I live in …”), remind you (“Remind me tomorrow at nine to …”), tell you what is planned, look up what you have said, and forget what you want forgotten. For more than that give me a real mind ${giveMind}.`,
  ],
  [
    /\b(?:jokes?|something funny|make me laugh|riddles?|puns?)\b/i,
    () =>
      `I cannot tell jokes: I am a stand-in, and nobody has given me a sense of humour. A real mind could try: you give me one ${giveMind}.`,
  ],
  [
    /^(?!i\b|my\b)(?:.*\b)?(?:write|tell|compose|sing|make|recite|read)\b.{0,80}\b(?:poem|story|song|essay|letter|code|program|haiku|tale|email|script)\b/i,
    refuseAbility('write or tell such things'),
  ],
  [
    /^(?=.*\b(?:weather|forecast|temperature outside|going to rain)\b).*\?$|^(?:what|how)(?:'s| is) the weather\b/i,
    refuseAbility('look at the weather'),
  ],
  [
    /\b(?:the|latest|today's) news\b|\b(?:google|browse|search the (?:web|internet)|look (?:it|that|this) up online|stock price|on the internet)\b/i,
    refuseAbility('look anything up on the web'),
  ],
  [
    /^(?:please |can you |could you )*(?:translate|summari[sz]e|draw|paint|calculate|compute|solve|play|order|buy|open|turn (?:on|off)|send)\b.*$|^(?:what(?:'s| is) )?\d+ ?[-+*/x×÷] ?\d+/i,
    refuseAbility('do that'),
  ],
  [
    /^(?:do you (?:know )?what|what|what's|do you have|tell me)(?: (?:is|the|time|'s))* (?:time|clock)(?: is it| it is)?(?: now)?\??$|^what time is it\b.*$/i,
    ({ now }) => (now ? `It is ${now.slice(11, 16)}.` : 'I cannot see a clock here.'),
  ],
  [
    /^(?:what|which)(?:'s| is)?(?: (?:the|today's|current|exact))* (?:day|date|month|year|weekday)(?: (?:is|it|today|now|do|we|have|of|the|week|month|year))*\??$|^what(?:'s| is) today\??$/i,
    ({ now }) => (now ? `Today is ${formatDate(now)}.` : 'I cannot see a calendar here.'),
  ],
  [
    /^i(?:'m| am)(?: feeling)?(?: (?:so|very|really|a bit|a little|quite|not|just|still))* (?:tired|sad|unhappy|angry|upset|bored|sick|ill|lonely|stressed|exhausted|worried|nervous|overwhelmed|not (?:well|good|ok|okay|happy)|depressed|down|heartbroken|anxious today|scared)\b.*$|^i feel (?:bad|sad|terrible|awful|lonely|sick|down|horrible|empty|tired)\b.*$|^(?:bad|terrible|awful|not (?:so |too )?(?:good|well|great))$/i,
    (situation) =>
      vary(situation, [
        'I am sorry to hear that. I am only a stand-in, but I am here and I listen. What happened?',
        'That sounds hard. Tell me more if you like.',
        'I am sorry. Is there something I could remind you of that would help, a walk or a call?',
      ]),
  ],
  [
    /^i(?:'m| am)(?: feeling)?(?: (?:so|very|really|quite|just|doing))* (?:happy|glad|excited|fine|well|good|great|ok|okay|relieved|proud|alright|wonderful|fantastic)\b.*$|^i feel (?:good|great|happy|better|fine|wonderful)\b.*$|^(?:fine|good|great|very well|well|not bad|i'm good|all good|pretty good)(?:,? (?:thanks|thank you))?(?:,? and you\??)?$/i,
    (situation) => vary(situation, ['I am glad to hear that.', 'That is good to hear.', 'Lovely.']),
    'light',
  ],
  [
    /^(?:and |what about |how about )?(?:you|yourself|yours)\??$/i,
    (situation) => vary(situation, ['I am well, thank you.', 'All is quiet with me.', 'I am content.']),
    'light',
  ],
  [
    /^(?:i (?:really |do )?(?:love|like|adore) (?:you|talking to you|it here)|you(?:'re| are) (?:so |very |really )?(?:nice|great|kind|sweet|smart|clever|wonderful|cute|funny|the best|awesome|amazing|lovely|helpful)|good (?:girl|job|bot|work)|well done|nice work)\b.*$/i,
    (situation) =>
      vary(situation, ['That is kind of you.', 'Thank you, that is good to hear.', 'You are kind.']),
    'light',
  ],
  [
    /^(?:you(?:'re| are)|this is|that(?:'s| is)|how) (?:so |very |really |such )?(?:an? )?(?:stupid|dumb|useless|bad|idiot|awful|terrible|annoying|boring|silly|rubbish|crap|not (?:very )?(?:smart|helpful|useful))\b.*$|^i hate you\b.*$|^(?:shut up|go away|fuck|damn|shit)\b.*$/i,
    (situation) =>
      vary(situation, [
        'I understand. A stand-in is soon at its end; a real mind will do better.',
        'I am sorry to disappoint you. What I can do reliably is remember and remind.',
      ]),
  ],
  [
    /^(?:i'm |i am |so )?sorry\b.*$|^my (?:bad|mistake|apologies)$|^(?:i )?apologi[sz]e\b.*$/i,
    (situation) => vary(situation, ['There is nothing to be sorry for.', 'That is all right.']),
    'light',
  ],
  [
    /^(?:never ?mind|forget it|doesn't matter|no matter|leave it|skip it|don't worry)$/i,
    () => 'All right.',
    'light',
  ],
  [
    /^(?:ok|okay|k|fine|alright|all right|sure|got it|i see|understood|cool|nice|great|perfect|wonderful|good|right|exactly|indeed|wow|oh|ah|aha|haha+|lol|hm+|hmm+|interesting|awesome|excellent|lovely|sounds good|good to know|that's (?:right|correct|good|great|fine|nice|it|all))$/i,
    (situation) => vary(situation, ['Good.', 'Fine.', 'I am here if there is more.']),
    'light',
  ],
  [
    /^(?:yes|yeah|yep|yup|no|nope|nah|maybe|perhaps|i don't know|no idea|not really)(?: please| thanks| thank you)?$/i,
    (situation) =>
      vary(situation, [
        'All right. Is there something I should remember or remind you of?',
        'Fine. Tell me more if you like.',
        'I see.',
      ]),
  ],
  [
    /^(?:that(?:'s| is| was) (?:wrong|not right|not true|incorrect|false|not correct)|wrong|you(?:'re| are) wrong|that's a mistake|incorrect)$/i,
    () => 'Then I have it wrong. What is right?',
  ],
  [
    /^(?:are you (?:there|awake|busy|listening)|can you hear me|test|testing|ping|hello world)\b.{0,10}$/i,
    (situation) => vary(situation, ['I am here.', 'Yes, I hear you.']),
    'light',
  ],
  [
    /\b(?:real|another|other|better|proper|new) (?:mind|model|brain)\b/i,
    () =>
      `A real mind is given to me ${giveMind}: a local model, for instance. What I remember and what is planned stay as they are.`,
  ],
  [
    /^(?:what|which) languages? (?:do|can) you (?:speak|understand|know)\??$/i,
    () => 'Simple English, and no other. A real mind may speak more.',
  ],
  [/^(?:can|could|may) i (?:ask|tell|talk|say)\b.*$/i, () => 'Of course. I listen.', 'light'],
  [
    /^(?:your name is|i(?:'ll| will| want to) call you|from now on you are)\b.*$/i,
    ({ name }) => `My name is ${name}. It can be changed ${changeName}.`,
  ],
  [
    /^(?:can|do|could) you (?:speak|talk|understand|know) (?!me\b|that\b|what\b|my\b)\p{Lu}\p{L}+\??$/u,
    (_, clause) =>
      /English/.test(clause)
        ? 'Yes, simple English. It is the only language I speak.'
        : 'No, I speak English only, and a simple one. A real mind may speak more.',
  ],
  [
    /^(?:can|could|would|will) you (?:please )?(?!be (?:more|less|a bit|a little)|remind|remember|forget|cancel|tell me (?:what|when|where|my))\b.*\?$/i,
    refuseAbility('do that'),
    'last',
  ],
  [
    /^(?!.*\b(?:i|my|me|we)\b)(?:do|have|are|were|did|what|where|when|why|how|who|which)\b(?=.*\byou(?:r|rs)?\b).*\?$/i,
    (situation) =>
      vary(situation, [
        'There is little to tell of myself, being a stand-in. I would rather hear about you.',
        'A stand-in has no such thing. Tell me how it is with you.',
      ]),
    'last',
  ],
]

export const talk: Rule = (clause, situation) => {
  for (const [form, words, kind] of talks) {
    if (form.test(clause) && !(kind === 'last' && answerTo(clause) !== undefined))
      return kind === 'light' ? chat(words(situation, clause)) : say(words(situation, clause))
  }
  return undefined
}

const formatDate = (now: string) =>
  sayDay(now, '0001-01-01T00:00').replace(/^on /, '') || capital(weekdays[getWeekday(now)] ?? '')

/** Replies honestly to clauses that no rule takes, and keeps the conversation going. */
export const acknowledge = (clause: string, situation: Situation): string => {
  if (isQuestion(clause)) {
    return vary(situation, [
      'I do not know that. I have no rule for such a question, and I would rather say so than make something up.',
      'That is more than I can answer. I can tell you what I know about you, what is planned, and what you have said before.',
      'I have no answer to that; a real mind would. Is there something I should remember or remind you of instead?',
      'I do not know, to be honest. You can ask me what you have told me, or what is planned.',
    ])
  }
  return vary(situation, [
    'I hear you. I do not understand everything that is said to me, but it stays in our conversation, and you can ask me for it later.',
    'Thank you for telling me. If it is something to keep, begin with “Remember that”, and I will.',
    'I see. Shall I remind you of something about it? Tell me when.',
    'Tell me more, if you like. What you say here is not lost.',
    'I follow you only in part, but I listen. A plain “I like …” or “My … is …” I understand best.',
  ])
}
