/** English words about the user's data and files. */
import { confirmationHint } from './memory-words.ts'

const requestPrefix =
  "(?:please |can you |could you |would you |will you |i want you to |i want to |i would like to |i'd like to |how (?:do|can) i |how to )?"
const ownData =
  '(?:all |all of |everything of )?(?:my|the) (?:personal |private |own )?(?:data|information|info|account|profile|history|records?|messages|chats?|conversations?)'

const deletePattern = new RegExp(
  `^${requestPrefix}(?:delete|erase|remove|wipe|clear|destroy|purge) (?:${ownData}|the conversation|our conversations?|our (?:chats?|talk|history)|everything (?:i(?:'ve| have)? (?:said|told you|wrote|written)|we(?:'ve| have)? (?:said|talked about)))(?: from (?:here|your memory|your database|this machine|your servers?))?(?: now)?\\??$`,
  'i',
)
const deletingPersona = new RegExp(
  `^${requestPrefix}(?:delete|erase|remove|uninstall|destroy|purge|get rid of) (?:you|yourself|this persona|the persona|daimon)\\??$`,
  'i',
)

const storageQuestion =
  /^(?:where|how|for how long|how long) (?:is|are|do you|does this|will you|will) (?:my |our |the |all |this |it |you )?(?:data|information|messages|conversations?|words|keep|store|save|stored|kept|saved)\b.*\??$|^(?:do you|does this|does it|are you) (?:store|save|keep|record|log|storing|saving|keeping|recording|logging) (?:my|our|what i|everything|this|all)\b.*\??$/i
const accessQuestion =
  /^(?:is (?:this|it|our (?:conversation|chat|talk)|what i (?:say|write|tell you)|my data) (?:private|safe|secret|secure|confidential|encrypted)|who (?:else )?(?:can|could|will|does|may) (?:see|read|hear|access|know)|(?:do|will|can|would|are) you (?:share|sharing|sell|selling|send|sending|pass|leak|tell (?:anyone|anybody|others|somebody|someone|people))|are you (?:spying|listening in|watching)|can (?:i|we) trust you|can you keep a secret|do you (?:phone home|spy))\b.*\??$/i
const exportPattern = new RegExp(
  `^${requestPrefix}(?:export|download|back ?up|get a copy of|copy|show me) ${ownData}\\??$`,
  'i',
)

const aboutFiles =
  /^(?:can|could|may|do|how|what)\b[^?]{0,60}\b(?:files?|pictures?|photos?|images?|pdfs?|documents?|spreadsheets?|voice (?:messages?|notes?)|videos?)\b[^?]{0,60}\??$/i
const fileActions =
  /\b(?:send|give|show|upload|share|attach|read|open|see|look at|understand|accept|take|handle|kinds?|types?|sorts?)\b/i
const specificFile = /\b(?:this|that|it|the|last)\b/i

const deletingTalk =
  'What we said stays in our conversation as long as I am here: it goes when I am deleted, on the page under Settings.'

export const privacy = {
  deletesPersona: deletingPersona,
  deletesData: deletePattern,
  howToDelete:
    'That is not done in words: I am deleted on the page, under Settings. Everything I know and everything we said goes with me.',
  tellStored: (count: number) => {
    if (count === 0) return `I know nothing about you that I could forget. ${deletingTalk}`
    const [amount, it, any] =
      count === 1 ? ['one thing', 'it', 'it'] : [`${count} things`, 'them', 'any of them']
    return `I know ${amount} about you. “What do you know about me?” shows ${it}, and I forget ${any} when you say so. ${deletingTalk} Shall I forget what I know about you? ${confirmationHint}`
  },
  storageQuestion,
  storage:
    'Everything lies on this machine, in the folder of the daemon (DAIMON_HOME, else ~/.daimon), until you delete it. On the page you see what I know about you under Memory, and what we said under Talk.',
  accessQuestion,
  access:
    'What you tell me stays on this machine: I am a few rules in the daemon and send nothing anywhere. It is not encrypted there, so whoever can read your files can read it. A chat on Telegram or Discord passes through their servers, and a model of a provider, once you give me one, is sent what we say.',
  exportQuestion: exportPattern,
  export:
    'A sealed copy of all I am is made on the page, under Settings, Backup. You see what we said under Talk, and what I know about you under Memory.',
}

export const files = {
  isAbout: aboutFiles,
  action: fileActions,
  specific: specificFile,
  explanation:
    'You can send me files here on the page, and they are kept in our conversation. I get the text of documents. Organs tell me the rest: an Eye looks at pictures, an Ear listens to clips, a Researcher summarizes documents. Each is a model, given like a mind: under Settings.',
}
