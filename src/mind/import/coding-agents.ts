/**
 * Reads sessions of Claude Code (`~/.claude/projects`) and Codex CLI (`rollout-*.jsonl`), one record a line.
 * Neither format is documented; the shapes are those of sessions up to 2026.
 */
import { isObject } from '../../is-object.ts'
import type { Said } from './imported-conversation.ts'
import { at, type Loose, looseOf, wordsOf } from './loose-values.ts'
import { saidBy } from './messages.ts'

export const isSessionLine = (value: Loose): boolean =>
  isClaudeLine(value) || (codexTypes.has(wordsOf(at(value, 'type'))) && isObject(at(value, 'payload')))

const isClaudeLine = (value: Loose): boolean =>
  (at(value, 'type') === 'user' || at(value, 'type') === 'assistant') && isObject(at(value, 'message'))

const codexTypes = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])

/** Returns nothing for a record that is no message, and null for a message without words of either side. */
export const saidInSession = (value: Loose): readonly (Said | null)[] => {
  if (isClaudeLine(value)) {
    const isHidden = ['isSidechain', 'isMeta', 'isCompactSummary'].some((name) => at(value, name) === true)
    return [isHidden ? null : spoken(looseOf(at(value, 'message')), value)]
  }
  // `event_msg` repeats the messages of `response_item`.
  const payload = looseOf(at(value, 'payload'))
  const isMessage = at(value, 'type') === 'response_item' && at(payload, 'type') === 'message'
  return isMessage ? [spoken(payload, value)] : []
}

const spoken = (message: Loose, record: Loose): Said | null => {
  const said = saidBy(message)
  if (!said) return null
  const content = said.role === 'user' ? withoutContext(said.content) : said.content
  return { ...said, content, time: at(record, 'timestamp') }
}

/** The programs send these under the name of the user. */
const context =
  /^(?:<(?:environment_context|user_instructions|INSTRUCTIONS|command-|local-command-|bash-|task-notification|turn_aborted)|# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted by user)/

const withoutContext = (text: string): string =>
  text
    .split('\n\n<')
    .map((part, n) => (n === 0 ? part : `<${part}`))
    .filter((part) => !context.test(part.trimStart()) && !part.trimStart().startsWith('<system-reminder>'))
    .join('\n\n')
