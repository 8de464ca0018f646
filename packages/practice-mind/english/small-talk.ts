/** English phrases of casual conversation. */
import { address } from '../address.ts'
import { promise, vary } from '../reply.ts'
import type { Situation } from '../situation.ts'
import { calculate, oneOf, startsWith, type Talk, type TalkTable } from '../talk-form.ts'
import { introduceSelf, varyInCharacter } from '../tastes.ts'
import { capital, getWeekday } from '../wall-clock.ts'
import { isQuestion } from './clauses.ts'
import { giveMind, standIn } from './english-words.ts'
import { sayDay, weekdays } from './say-when.ts'

const greeting = /^(?:hi|hello|hey|welcome|greetings|well met|good (?:morning|day|evening))\b/i
const thanks =
  /^(?:you are welcome|you're welcome|gladly|with pleasure|my pleasure|any time|don't mention)\b/i

const canRemember = promise(
  'I can remember what you tell me, remind you of things, and look up what you have said.',
  'I can tell you what I know about you and look up what you have said.',
)

const refuse = (ability: string) =>
  oneOf(
    `I cannot ${ability}: I am a stand-in and work by a few rules. ${canRemember}`,
    `That is beyond me, I cannot ${ability}. A real model could try: you give me one ${giveMind}.`,
  )

const partOfDay = (situation: Situation, clause: string) =>
  `Good ${/morning|afternoon|evening|day/i.exec(clause)?.[0].toLowerCase()}${address(situation)}! ${vary(situation, ['It is good to hear from you.', 'What is on your mind?', 'I am here.'])}`

/** Illness and accidents of others, and a night without sleep. */
const worry =
  /^(?:my|our) .{2,40} (?:is|are) (?:\w+ ){0,2}(?:in (?:the )?hospital|in icu|sick|ill|injured|hurt|in a coma)\b|^(?:my|our) .{2,40} (?:has|had) (?:\w+ ){0,2}(?:cancer|accident|heart attack|stroke|dementia|covid)\b|^i (?:can't|cannot) sleep(?: again| tonight)?$/i
const crisis =
  /\b(?:kill|hurt|harm|cut)(?:ing)? myself\b|\bsuicid|\b(?:want|wanna|going) to (?:die|end it|end my life)\b|\b(?:don't|do not|no longer) want to (?:live|be alive|exist|be here any ?more)\b|\bbetter off (?:dead|without me)\b|\bno (?:reason|point) (?:to|in) liv/i
const grief =
  /^(?:(?:yesterday|today|last (?:night|week)|this morning),? )?(?:my|our|a)\b.{1,60}\b(?:died|passed away|is dead|has died|is dying|was put down|had to be put down)\b|^(?:i|we)(?:'ve| have)?(?: just)? (?:lost|buried|had to (?:put down|say goodbye to)) (?:my|our)\b(?! (?:key|keys|phone|wallet|bag|job|way|glasses)\b)|\bfuneral\b/i
const loss =
  /\b(?:we|us)(?:'ve| have)? (?:just )?(?:broke|broken|split) up\b|\b(?:left|dumped|cheated on|ghosted|hates|ignores|yelled at|shouted at) me\b|^i(?:'ve| have)?(?: just| got| was| been)* (?:fired|laid off|dumped|rejected|lost my job|failed)\b|^i (?:didn't|did not) (?:pass|get the job)\b|^(?:i hate|i'm sick of) (?:my life|myself|everything|everyone)\b|^i (?:have|'ve got) no friends\b|^(?:nobody|no one) (?:likes|loves|cares|understands|needs)\b|^everything (?:is|went|goes) wrong\b|^i(?:'m| am|'ve been|just)? (?:still |can't stop |cannot stop )?(?:cry|crying)\b|^i (?:really |just )?miss (?:my|him|her|them|home)\b|^(?:i(?:'ve)? had|it was|today was|what) (?:such )?an? (?:really |very |so )?(?:bad|terrible|awful|horrible|shitty|hard|rough|long|stressful) (?:day|week|night|time)\b|^my (?:day|week|life) (?:is|was|has been) (?:so |really |very )?(?:bad|terrible|awful|horrible|hard|a mess)\b/i
const joy =
  /^(?:guess what[,!. ]*)?(?:i|we)(?:'ve| have)?(?: just| finally)* (?:got|passed|won|made it|did it|finished|graduated|found)\b(?!.*\b(?:fired|sick|ill|lost|dumped|covid|flu|cold|up|home|back)\b).*|^(?:i(?:'m| am)|we(?:'re| are)) (?:getting (?:married|a (?:dog|puppy|cat|kitten|baby))|engaged|going on (?:holiday|vacation)|having a baby)\b|^(?:it's|it is|today is) my birthday\b|^(?:the )?best (?:day|news)\b|^(?:great|good|amazing) news\b|^(?:he|she) said yes\b|^(?:yay|hurray|hooray|woohoo|yess+|yes!)\b/i

const forms: readonly Talk[] = [
  [
    crisis,
    () =>
      'I am very sorry that it is so hard right now. I am only a few rules, and you deserve a person who can really be there. Please talk to someone today: a friend, a doctor, or a crisis line (in the US and Canada 988, in the UK and Ireland 116 123, elsewhere findahelpline.com). If you are in danger, call the emergency number now. I stay here, and you can go on writing to me.',
    'solemn',
  ],
  [
    grief,
    oneOf(
      'I am so sorry. That is a great loss. I am only a few rules and have no good words for it, but I am here, and you can tell me about it if you like.',
      'I am very sorry. Take your time. If you want to tell me about it, I am listening.',
    ),
    'solemn',
  ],
  [
    loss,
    oneOf(
      'I am sorry, that hurts. Do you want to tell me what happened?',
      'That sounds hard. I am only a stand-in, but I am listening.',
      'I am sorry. You do not have to be fine right now.',
    ),
    'solemn',
  ],
  [
    worry,
    oneOf(
      'Oh, I am sorry. How are you with that?',
      'That is not easy. I hope it gets better soon. Do you want to tell me more?',
    ),
    'solemn',
  ],
  [
    joy,
    oneOf(
      'Congratulations! I am happy for you. How does it feel?',
      'How wonderful! Tell me more.',
      'That is great news. I am glad you told me.',
    ),
  ],
  [
    /^(?:good )?(?:morning|afternoon|evening)$|^good (?:morning|afternoon|evening|day)\b.{0,15}$/i,
    partOfDay,
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
    oneOf(
      'I am well, thank you: every rule in its place. How are you?',
      'Quiet and content, thank you. And you?',
      'Well, thank you for asking. How is your day?',
    ),
    'light',
  ],
  [
    /^(?:many |thank|thanks|thx|ty\b|cheers|much appreciated|that(?:'s| is) (?:very )?(?:kind|nice|helpful))\b.*$/i,
    (situation) => varyInCharacter(situation, thanks, ['You are welcome.', 'Gladly.', 'With pleasure.']),
    'light',
  ],
  [
    /^(?:good ?bye|bye+|see (?:you|ya)|good ?night|farewell|talk (?:to you )?(?:later|soon)|i (?:have to|must|need to) go|i'm off|i'm going to (?:bed|sleep)|take care|later|ciao)\b.*$/i,
    (situation, clause) =>
      /night|bed|sleep/i.test(clause)
        ? `Good night${address(situation)}.${promise(' I keep what you told me.')}`
        : `Goodbye${address(situation)}. I am here whenever you come back.`,
    'light',
  ],
  [
    /^(?:who|what) (?:exactly )?are you\b(?! (?:doing|up to|able|allowed|talking)).*$|^(?:tell me|say something) about (?:yourself|you)\??$|^introduce yourself$|^what(?:'s| is) (?:a |this )?(?:embedded\/)?practice\??$/i,
    (situation) =>
      `I am ${situation.name}. ${introduceSelf(situation)}${standIn} ${canRemember} A real model can be given to me ${giveMind}.`,
  ],
  [
    /^(?:so )?are you (?:an? |really |just |even )*(?:robot|bot|human|person|ai|machine|real|computer|program|llm|chatgpt|gpt|model|software|alive|conscious|sentient)\b.*$|^you(?:'re| are) not (?:real|human)\b.*$|^(?:am i|i(?:'m| am)) (?:really |actually )?(?:talking|speaking|writing|chatting) (?:to|with) (?:an? )?(?:real |actual )*(?:human|person|someone|somebody|bot|robot|machine|ai|program|computer)\b.*$|^is (?:there )?(?:an? )?(?:real |actual )*(?:human|person|someone|somebody) (?:there|behind (?:this|you)|writing|answering)\b.*$|^(?:honestly|seriously|in earnest|be honest|tell me the truth|for real)\b.{0,20}\b(?:human|a person|real|a bot|a machine|software)\b.*$/i,
    () => `No person: I am software, and no real model either. ${standIn}`,
  ],
  [
    /^(?:what(?:'s| is) your name|do you have a name|your name|what (?:should|can|do) i call you|who am i (?:talking|speaking) (?:to|with))\??$/i,
    ({ name }) => `My name is ${name}.`,
  ],
  [
    /^(?:help|what (?:can|else can) (?:you|i) (?:do|ask|say)(?: here| for me| you)?|what are you (?:able to do|good (?:at|for))|how (?:do|can) (?:i|you) (?:use|work|help)\b.*|can you help(?: me)?|what do you do|i need (?:your |some )?help|what now|how does (?:this|it) work)\??$/i,
    () =>
      `${promise('I can remember what you tell me (“My name is …”, “I live in …”), remind you (“Remind me tomorrow at nine to …”), tell you what is planned, look up what you have said, and forget what you want forgotten.', 'I can tell you what I know about you and look up what you have said.')} For more than that give me a real model ${giveMind}.`,
  ],
  [
    /\b(?:jokes?|something funny|make me laugh|riddles?|puns?)\b/i,
    () =>
      `I cannot tell jokes: I am a stand-in, and nobody has given me a sense of humour. A real model could try: you give me one ${giveMind}.`,
  ],
  [
    /^(?!i\b|my\b)(?:.*\b)?(?:write|tell|compose|sing|make|recite|read)\b.{0,80}\b(?:poem|story|song|essay|letter|code|program|haiku|tale|email|script)\b|^sing\b.*$/i,
    refuse('write or tell such things'),
  ],
  [
    /^(?=.*\b(?:weather|forecast|temperature outside|going to rain)\b).*\?$|^(?:what|how)(?:'s| is) the weather\b/i,
    refuse('look at the weather'),
  ],
  [
    /\b(?:the|latest|today's) news\b|\b(?:google|browse|search the (?:web|internet)|look (?:it|that|this) up online|stock price|on the internet)\b/i,
    refuse('look anything up on the web'),
  ],
  [
    /^(?:(?:what(?:'s| is)|how much is|calculate|compute) )?\d{1,9} ?(?:[-+*/x×÷]|plus|minus|times|divided by) ?\d{1,9} ?=?\??$/i,
    (_, clause) => {
      const result = calculate(clause)
      return result === undefined
        ? 'That has no result.'
        : `That is ${result}. It is as far as my arithmetic goes.`
    },
  ],
  [
    /^(?:please |can you |could you )*(?:translate|summari[sz]e|draw|paint|calculate|compute|solve|play|order|buy|open|turn (?:on|off)|send|explain|teach)\b.*$|^let'?s play\b.*$/i,
    refuse('do that'),
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
    /^(?:i(?:'m| am)(?: feeling)?(?: (?:so|very|really|a bit|a little|kinda|quite|just|still))*|(?:so|this is)) bored\b.*$|^(?:so )?boring$|^entertain me$|^(?:talk to me|say something|tell me something|amuse me)$/i,
    oneOf(
      'I am no great entertainer, being a few rules. But I like to listen: what was the best moment of your week?',
      'Then tell me something about you: what could you talk about for hours?',
    ),
  ],
  [
    /^i(?:'m| am)(?: feeling)?(?: (?:so|very|really|a bit|a little|kinda|quite|not|just|still))* (?:tired|sad|unhappy|angry|upset|sick|ill|lonely|alone|stressed|exhausted|worried|nervous|overwhelmed|not (?:well|good|ok|okay|happy)|depressed|down|heartbroken|anxious today|scared)\b.*$|^i feel (?:so |very |really )*(?:bad|sad|terrible|awful|lonely|alone|sick|down|horrible|empty|tired|depressed|useless|worthless|like (?:crap|shit))\b.*$|^(?:i'm |i am )?not (?:feeling|doing) (?:so |too |very )?(?:great|good|well)\b.*$|^(?:bad|terrible|awful|sad|tired|exhausted|not (?:so |too )?(?:good|well|great))$/i,
    oneOf(
      'I am sorry to hear that. I am only a stand-in, but I am here and I listen. What happened?',
      'That sounds hard. Tell me more if you like.',
      'I am sorry. I have no advice to give, but I can listen.',
    ),
    'solemn',
  ],
  [
    /^i(?:'m| am)(?: feeling)?(?: (?:so|very|really|quite|just|doing))* (?:happy|glad|excited|fine|well|good|great|ok|okay|relieved|proud|alright|wonderful|fantastic)\b.*$|^i feel (?:good|great|happy|better|fine|wonderful)\b.*$|^(?:fine|good|great|very well|well|not bad|i'm good|all good|pretty good)(?:,? (?:thanks|thank you))?(?:,? and you\??)?$/i,
    oneOf('I am glad to hear that.', 'That is good to hear.', 'Lovely.'),
    'light',
  ],
  [
    /^(?:and |what about |how about )?(?:you|yourself|yours)\??$/i,
    oneOf('I am well, thank you.', 'All is quiet with me.', 'I am content.'),
    'light',
  ],
  [
    /^(?:i (?:really |do )?(?:love|adore) you|i think i(?:'m| am) in love with you|(?:do you|could you) (?:love|like|miss) me|marry me|will you (?:marry me|be my (?:friend|girlfriend|boyfriend|partner)))\b.*$/i,
    oneOf(
      'That is kind of you. To be honest, I am a few rules and cannot feel love. But I am glad that you are here.',
      'You are kind. I cannot feel it as you do, being a stand-in, and I do not want to pretend. I like that you tell me.',
    ),
  ],
  [
    /^(?:i (?:really |do )?(?:like|love|adore) (?:you|talking to you|it here)|you(?:'re| are) (?:so |very |really )?(?:nice|great|kind|sweet|smart|clever|wonderful|cute|funny|the best|awesome|amazing|lovely|helpful)|good (?:girl|job|bot|work)|well done|nice work)\b.*$/i,
    oneOf('That is kind of you.', 'Thank you, that is good to hear.', 'You are kind.'),
    'light',
  ],
  [
    /^(?:you(?:'re| are)|this is|that(?:'s| is)|how) (?:so |very |really |such )?(?:an? )?(?:stupid|dumb|useless|bad|idiot|moron|awful|terrible|annoying|boring|silly|rubbish|crap|not (?:very )?(?:smart|helpful|useful))\b.*$|^(?:i hate you|you suck|u suck)\b.*$|^(?:shut up|go away|fuck (?:you|off)|stupid|idiot|wtf)\b.*$/i,
    oneOf(
      'I understand. A stand-in is soon at its end; a real model will do better.',
      `I am sorry to disappoint you. ${promise('What I can do reliably is remember and remind.', 'What I can do here is look back.')}`,
    ),
  ],
  [
    /^(?:oh )?(?:damn|shit|fuck|crap)(?: it)?$/i,
    oneOf('Oh. What is the matter?', 'That sounds annoying. What happened?'),
  ],
  [
    /^(?:i'm |i am |so )?sorry\b.*$|^my (?:bad|mistake|apologies)$|^(?:i )?apologi[sz]e\b.*$/i,
    oneOf('There is nothing to be sorry for.', 'That is all right.'),
    'light',
  ],
  [
    /^(?:are you sure|is (?:that|this|it) true|really)\??$/i,
    () => 'I am never quite sure: I am only a few rules. What you have told me I can look up.',
  ],
  [
    /^i(?:'m| am) (?:so |very |really )?(?:cold|hot|hungry|thirsty|starving|freezing)$/i,
    oneOf(
      'Then do something good for yourself. I can only listen, I am afraid.',
      'Oh. I hope that it gets better soon.',
    ),
  ],
  [
    /^(?:never ?mind|forget it|doesn't matter|no matter|leave it|skip it|don't worry)$/i,
    () => 'All right.',
    'light',
  ],
  [
    /^(?:ok|okay|k|fine|alright|all right|sure|got it|i see|understood|cool|nice|great|perfect|wonderful|good|right|exactly|indeed|wow|oh|ah|aha|hm+|hmm+|interesting|awesome|excellent|lovely|sounds good|good to know|you(?:'re| are) right|no problem|that's (?:right|correct|good|great|fine|nice|it|all))$/i,
    oneOf('Good.', 'Fine.', 'I am here if there is more.'),
    'light',
  ],
  [
    /^(?:(?:ha){2,}h?|(?:he){2,}|lol+|lmao|rofl|xd)\b.*$/i,
    oneOf('I am glad that you laugh.', 'Good to hear you laugh.'),
    'light',
  ],
  [
    /^(?:yes|yeah|yep|yup|no|nope|nah|maybe|perhaps|i don't know|idk|no idea|not really|dunno)(?: please| thanks| thank you)?$/i,
    oneOf('All right.', 'Fine. Tell me more if you like.', 'I see.'),
  ],
  [
    /^(?:that(?:'s| is| was) (?:wrong|not right|not true|incorrect|false|not correct)|wrong|you(?:'re| are) wrong|that's a mistake|incorrect)$/i,
    () => 'Then I have it wrong. What is right?',
  ],
  [
    /^(?:are you (?:there|awake|busy|listening)|can you hear me|test|testing|ping|hello world)\b.{0,10}$/i,
    oneOf('I am here.', 'Yes, I hear you.'),
    'light',
  ],
  [
    /^(?:what|huh|why|how so|what do you mean|wdym|pardon|excuse me)\??$/i,
    oneOf(
      'I may have put that badly, or misunderstood you: I am only a few rules. Say it once more in other words?',
      'I am not sure what you mean. I understand short sentences best.',
    ),
  ],
  [
    /\b(?:real|another|other|better|proper|new) (?:mind|model|brain)\b/i,
    () =>
      `A real model is given to me ${giveMind}: a local model, for instance. What I remember and what is planned stay as they are.`,
  ],
  [
    /^(?:what|which) languages? (?:do|can) you (?:speak|understand|know)\??$/i,
    () => 'Simple English and simple German. A real model may speak more.',
  ],
  [
    /^(?:can|could|may) i (?:ask|tell|talk|say)\b.*$|^i have a question\b.*$/i,
    () => 'Of course. I listen.',
    'light',
  ],
  [
    /^(?:your name is|i(?:'ll| will| want to) call you|from now on you are)\b.*$/i,
    ({ name }) => `My name is ${name}. It can be changed on the page, under Settings.`,
  ],
  [
    /^(?:can|do|could) you (?:speak|talk|understand|know) (?:\p{Lu}\p{L}+|english|german|french|spanish|italian|[a-z]+ish|[a-z]+ese)\??$/u,
    (_, clause) =>
      /english|german/i.test(clause)
        ? 'Yes, in simple sentences.'
        : 'No, I speak only English and German, and simple ones. A real model may speak more.',
  ],
  [
    /^(?:do|can|could) you (?:understand|get) me\??$/i,
    () => 'Only in part: I understand short, plain sentences about you, your plans, and what you have said.',
  ],
  [
    /^do you (?:have|feel|know) (?:feelings|emotions|pain|love|fear)\b.*$|^can you feel\b.*$/i,
    () => 'No. I am a few rules, and there is nothing in me that feels. I would rather say so than pretend.',
  ],
  [
    /^who (?:made|created|built|programmed) you\??$/i,
    () => 'I come with Daimon, the program that runs on your computer. What I become is up to you.',
  ],
  [
    /^(?:what do you think\b.*|what(?:'s| is) your opinion\b.*)\??$/i,
    oneOf(
      'I have no opinion on that, being a few rules. How do you see it?',
      'I cannot judge that, and I do not want to guess. What do you think?',
    ),
  ],
  [
    /^what (?:should|shall) i (?!call\b|remember\b|do\b).*$/i,
    oneOf(
      'I cannot decide that for you, being a few rules. What do you feel like?',
      'You know that better than I do. What do you feel like?',
    ),
  ],
  [
    /^(?:should i\b.*|(?:give me|i need) (?:some )?advice\b.*|what (?:should|shall|can) i do)\??$/i,
    oneOf(
      'I cannot judge that, and I do not want to guess. What speaks for it, and what against?',
      'I have no advice in me, being a few rules. But saying it aloud can help: what would you like best?',
    ),
  ],
  [
    /^(?:happy new year|merry christmas|happy (?:easter|holidays|birthday)|good luck)\b.*$/i,
    oneOf('Thank you! The same to you.', 'Thank you, and all the best to you.'),
    'light',
  ],
  [
    /^i(?:'m| am) (?:back|home|here)(?: again| now)?$/i,
    oneOf('Welcome back.', 'Good to have you here.'),
    'light',
  ],
  [
    /^(?:can|could|would|will) you (?:please )?(?!be (?:more|less|a bit|a little)|remind|remember|forget|cancel|tell me (?:what|when|where|my))\b.*\?$/i,
    refuse('do that'),
    'last',
  ],
  [
    /^(?!.*\b(?:i|my|me|we)\b)(?:do|have|are|were|did|what|where|when|why|how|who|which)\b(?=.*\byou(?:r|rs)?\b).*\?$/i,
    oneOf(
      'There is little to tell of myself, being a stand-in. I would rather hear about you.',
      'A stand-in has no such thing. Tell me how it is with you.',
    ),
    'last',
  ],
]

const formatDate = (now: string) =>
  sayDay(now, '0001-01-01T00:00').replace(/^on /, '') || capital(weekdays[getWeekday(now)] ?? '')

export const englishTalk: TalkTable = {
  forms,
  mayBeFact:
    /^(?:i\b|i'm\b|my\b|we\b|you (?:may|can|could|must|should|are (?:not |never )?allowed|have my permission)\b|no\b|actually\b)/i,
  isCertain: startsWith(
    /^i(?:'m| am| feel| have to go| must go| need to go| hate you| (?:really |do )?(?:love|like|adore) (?:you|talking))\b/,
    crisis,
    grief,
    loss,
    worry,
    joy,
  ),
  greet: (situation) =>
    varyInCharacter(situation, greeting, [
      address(situation)
        ? `Hello${address(situation)}! I am ${situation.name}. How are you?`
        : `Hello! I am ${situation.name}. What shall I call you?`,
    ]),
  acknowledge: (clause, situation) =>
    vary(
      situation,
      isQuestion(clause)
        ? [
            'I do not know that. I have no rule for such a question, and I would rather say so than make something up.',
            'That is more than I can answer. I know only what you tell me.',
            'I have no answer to that; a real model would.',
            'I do not know, to be honest. You can ask me what you have told me, or what is planned.',
          ]
        : [
            `I hear you. I do not understand everything that is said to me${promise(', but it stays in our conversation, and you can ask me for it later')}.`,
            `Thank you for telling me.${promise(' If it is something to keep, begin with “Remember that”, and I will.')}`,
            'I am only a few rules, so I have little to say to that. But I am listening.',
            `Tell me more, if you like.${promise(' What you say here is not lost.')}`,
            `I follow you only in part, but I listen.${promise(' A plain “I like …” or “My … is …” I understand best.')}`,
          ],
    ),
}
