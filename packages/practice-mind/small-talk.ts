/**
 * Rules of casual conversation: greetings, thanks, questions about the persona, moods, and requests that it
 * cannot fulfil.
 */
import { answerTo } from './answers.ts'
import { englishTalk } from './english/small-talk.ts'
import { germanTalk } from './german/small-talk.ts'
import type { Language } from './languages.ts'
import { type Rule, say } from './reply.ts'
import type { Situation } from './situation.ts'
import type { TalkTable } from './talk-form.ts'
import { wordsOf } from './words.ts'

const tables: Readonly<Record<Language, TalkTable>> = { en: englishTalk, de: germanTalk }

export const talk: Rule = (clause, situation) => {
  for (const [form, reply, kind] of tables[situation.language].forms) {
    if (!form.test(clause)) continue
    if (kind === 'last' && answerTo(clause, wordsOf(situation)) !== undefined) continue
    return {
      ...say(reply(situation, clause)),
      ...(kind === 'light' && { light: true }),
      ...(kind === 'solemn' && { solemn: true }),
    }
  }
  return undefined
}

/** Applies small talk before the fact rules only if it is certain: "I am tired" is not a fact to store. */
export const talkFirst: Rule = (clause, situation) => {
  const { mayBeFact, isCertain } = tables[situation.language]
  return mayBeFact.test(clause) && !isCertain.test(clause) ? undefined : talk(clause, situation)
}

export const speakFirst = (situation: Situation): string => tables[situation.language].greet(situation)

/** Replies honestly to clauses that no rule takes, and keeps the conversation going. */
export const acknowledge = (clause: string, situation: Situation): string =>
  tables[situation.language].acknowledge(clause, situation)
