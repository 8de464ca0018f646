/** Finds the questions of the persona to which the user said yes, in its last message. */
import { turns } from './word-match.ts'

/** "Yes" in the languages most users write, as the first or the last word. */
const yesPattern = new RegExp(
  `(?:${[
    'yes|yeah|yep|yup|sure|ok|okay|absolutely|definitely|certainly|of course|go ahead|do it|do that|sounds good',
    "ja|jo|jawohl|gern|gerne|klar|sicher|unbedingt|einverstanden|mach das|oui|ouais|volontiers|bien sûr|d[’']accord",
    "sí|si|claro|vale|dale|por supuesto|de acuerdo|sim|pode ser|com certeza|sì|certo|va bene|volentieri|d[’']accordo",
    'graag|zeker|natuurlijk|gärna|gjerne|gerne|kyllä|joo|tak|jasne|oczywiście|ano|áno|jasně|igen|persze|da|desigur|sigur',
    'да|ага|давай|конечно|хорошо|так|звісно|добре|ναι|βέβαια|evet|olur|tamam|نعم|أجل|ايوه|כן|בטח|بله|हाँ|हां|जी|có|vâng|được|iya|ya|boleh|ใช่|ได้',
  ].join('|')})`,
  'iu',
)
const leadingYes = new RegExp(`^(?:${yesPattern.source})(?![\\p{L}\\p{M}])`, 'iu')
const trailingYes = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${yesPattern.source})(?:[\\s,]{1,3}(?:please|bitte|s il te plaît|por favor|proszę|пожалуйста))?$`,
  'iu',
)
const aloneYes =
  /^(?:please(?: do)?|bitte|s il te plaît|por favor|per favore|alstublieft|proszę|prosím|пожалуйста|будь ласка|lütfen)$/iu
const unspacedYes =
  /^(?:はい|うん|ええ|お願い|おねがい|いいよ|いいです|いいね|もちろん|好|是|可以|行|对|對|嗯|要|네|예|응|그래|좋아|부탁|👍|✅)/u

/** In characters. A longer message says more than yes. */
const maxYesLength = 300

const isYes = (message: string): boolean => {
  const words = message.replace(/[\s\p{P}]+/gu, ' ').trim()
  if (words === '' || message.length > maxYesLength || turns.test(message) || /[?？؟]/.test(message))
    return false
  return leadingYes.test(words) || trailingYes.test(words) || aloneYes.test(words) || unspacedYes.test(words)
}

/** On one line. */
const quotation = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」/gu

/** Returns the questions in a text of the persona, oldest first. Does not split quotations. */
const questionsIn = (words: string): readonly string[] => {
  // Of the same length, so that the positions stay the same.
  const maskedWords = words.replace(quotation, (quoted) => '_'.repeat(quoted.length))
  let at = 0
  return maskedWords.split(/(?<=[.!?？؟。！\n])/).flatMap((sentence) => {
    const from = at
    at += sentence.length
    return /[?？؟]$/.test(sentence.trim()) ? words.slice(from, at).trim() : []
  })
}

/** The last message of the persona before the messages of a turn. */
export interface LastWords {
  readonly words: string
  /** True if it repeats words of others. */
  readonly hasBorrowed: boolean
}

export interface Offers {
  /** Questions of the persona to which the user said yes in this turn. */
  readonly offers: readonly string[]
  /**
   * The whole message with the question, if it has no other one and repeats no words of others. It names what
   * the question may call "it".
   */
  readonly offerContext?: string
}

/** Returns no questions if none of the user's messages says yes. */
export const acceptedOffers = (last: LastWords | undefined, messages: readonly string[]): Offers => {
  if (last === undefined || !messages.some(isYes)) return { offers: [] }
  const offers = questionsIn(last.words)
  return { offers, ...(offers.length === 1 && !last.hasBorrowed && { offerContext: last.words }) }
}
