/**
 * Sessions of coding agents, one JSON object per line. Claude Code:
 * `~/.claude/projects/<project>/<id>.jsonl`, lines with `type`, `message` and `sessionId`. Codex CLI:
 * `~/.codex/sessions/**\/rollout-*.jsonl`, lines with `type: response_item` and a `payload`, in older
 * versions the payload itself. Neither format is documented; these are the shapes that the tools wrote in
 * 2025 and 2026.
 */
import { isObject } from '../kit/is-object.ts'
import { withoutBlocks } from './grok.ts'
import type { Said } from './imported-conversation.ts'
import { getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeParts } from './wordless-parts.ts'

const claudeTypes = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'progress',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'custom-title',
  'ai-title',
  'permission-mode',
])
const codexTypes = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

const isClaudeLine = (value: Loose): boolean =>
  claudeTypes.has(toText(getField(value, 'type'))) &&
  (isObject(getField(value, 'message'))
    ? typeof getField(toLoose(getField(value, 'message')), 'role') === 'string'
    : ['sessionId', 'leafUuid', 'messageId'].some((name) => typeof getField(value, name) === 'string'))

const isCodexLine = (value: Loose): boolean =>
  codexTypes.has(toText(getField(value, 'type'))) && isObject(getField(value, 'payload'))

/** Codex before `payload`: the messages themselves, whose parts name their direction. */
const isOldCodexLine = (value: Loose): boolean =>
  getField(value, 'type') === 'message' &&
  toList(getField(value, 'content')).some((part) =>
    /^(?:input|output)_text$/.test(toText(getField(toLoose(part), 'type'))),
  )

export const isSessionLine = (value: Loose): boolean =>
  isClaudeLine(value) || isCodexLine(value) || isOldCodexLine(value)

/** Returns the title that a line gives to its session, else undefined. */
export const sessionTitle = (value: Loose): string | undefined => {
  const title = [getField(value, 'summary'), getField(value, 'customTitle'), getField(value, 'aiTitle')].map(
    toText,
  )
  return isClaudeLine(value) ? title.find((text) => text !== '') : undefined
}

/** Returns null for tool calls, tool results, subagents, and text that the program wrote itself. */
export const saidInSession = (value: Loose): Said | null => {
  const message = isClaudeLine(value)
    ? toLoose(getField(value, 'message'))
    : toLoose(isCodexLine(value) ? getField(value, 'payload') : value)
  if (getField(value, 'isSidechain') === true || getField(value, 'isMeta') === true) return null
  if (
    isCodexLine(value) &&
    (getField(value, 'type') !== 'response_item' || getField(message, 'type') !== 'message')
  )
    return null
  const role = toRole(toText(getField(message, 'role')))
  if (!role) return null
  const content = getField(message, 'content')
  const text = typeof content === 'string' ? content : describeParts(toList(content).map(withoutProgramText))
  return { role, content: role === 'user' ? typedText(text) : text, time: getField(value, 'timestamp') }
}

const withoutProgramText = (part: unknown): unknown =>
  isObject(part) && typeof getField(part, 'text') === 'string'
    ? { ...part, text: typedText(toText(getField(part, 'text'))) }
    : part

/** Returns the text that the user typed: both programs put their own blocks into messages of the user. */
const typedText = (text: string): string => {
  const rest = withoutBlocks(text, '<system-reminder>', '</system-reminder>').trim()
  return programText.test(rest) ? '' : rest
}

const programText =
  /^(?:<(?:command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user_instructions|environment_context|ide_[a-z_]+|task-notification|turn_aborted|user_shell_command)>|# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted by user|This session is being continued from a previous conversation)/
