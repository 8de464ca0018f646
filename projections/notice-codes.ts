/**
 * Codes of the notices of the daemon, so that a client can show them in another language. A code is derived
 * from the English text, so that older notices have one too.
 */

/** The named groups are the values of the notice. The first form that matches is used. */
const forms = {
  outage: /^The model does not answer: (?<reason>[\s\S]*) Your message is kept; the answer follows when/,
  silent: /^The model has not answered for (?<seconds>\d+) s\. Your message is kept/,
  refused: /^The model did not answer this: (?<reason>[\s\S]+)$/,
  refused_repeatedly:
    /^The model did not answer this in several attempts, although it answers other messages: (?<reason>[\s\S]+)$/,
  unreadable_calls: /^The model called its tools in a form that cannot be read/,
  too_many_steps: /^The model called one tool after another, (?<count>\d+) times, and gave no answer/,
  empty_answer: /^The model gave an empty answer\./,
  daemon_failed: /^The daemon could not answer this: it failed each time that it tried \((?<kind>[^)]*)\)/,
  daemon_ended_twice: /^The daemon ended twice without warning while it worked on this/,
  tokens_used:
    /^The tokens for today are used up: (?<used>[\d,]+) of the (?<limit>[\d,]+) that DAIMON_DAILY_TOKENS allows on one day\. Answers are possible again from [\w ]+ at (?<hour>\d\d:\d\d) \((?<zone>[^)]*)\)/,
  organ_missing: /^There is no (?<organ>Eye|Ear), the organ that /,
  file_too_large: /^(?<file>“.*”) is too large: the limit is (?<limit>\d+) MB/,
  file_lost: /^(?<file>“.*”) cannot be found: it is not in the media folder/,
  file_damaged: /^(?<file>“.*”) is damaged: the stored file differs/,
  model_in_use: /^(?<name>.+) now thinks with (?<model>\S+), which runs on this machine and can use tools\.$/,
  model_without_tools:
    /^(?<name>.+) now thinks with (?<model>\S+), which runs on this machine but cannot use tools/,
  model_useless:
    /^(?<model>\S+) is downloaded, but it does not work here, so (?<name>.+) keeps the practice mind\. ?(?<reason>[\s\S]*)$/,
  model_not_switched:
    /^(?<model>\S+) is downloaded, but (?<name>.+) could not switch to it\. ?(?<reason>[\s\S]*)$/,
  other_model_refused: /^(?<model>\S+) did not answer this: (?<reason>[\s\S]+)$/,
} as const

export type NoticeCode = keyof typeof forms
export const noticeCodes = Object.keys(forms) as readonly NoticeCode[]

export interface CodedNotice {
  readonly notice_code?: NoticeCode
  readonly notice_values?: Readonly<Record<string, string>>
}

/** Returns nothing for a notice without a code. */
export const readNotice = (text: string): CodedNotice => {
  for (const code of noticeCodes) {
    const match = forms[code].exec(text)
    if (match) return { notice_code: code, notice_values: { ...match.groups } }
  }
  return {}
}
