/** Finds the questions of the persona to which the user said yes. */
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

/** Returns the questions in a text of the persona, oldest first. */
const questionsIn = (words: string): readonly string[] =>
  words
    .split(/(?<=[.!?？؟。！;\n])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[?？؟]$/.test(sentence))

/**
 * Returns the questions in the persona's last message if one of the user's messages says yes, else an empty
 * list.
 */
export const acceptedOffers = (
  lastWords: string | undefined,
  messages: readonly string[],
): readonly string[] => (lastWords !== undefined && messages.some(isYes) ? questionsIn(lastWords) : [])
