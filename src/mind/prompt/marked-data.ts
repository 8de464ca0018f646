/**
 * Words that came from somewhere: shown to a model with their origin, so that they cannot be taken for the
 * frame around them.
 */

import type { MessagePart } from '../../../journal/facts/fact-values.ts'

/** `<tag name="…">…</tag>`; nothing inside can close it, or begin another of these marks. */
export const enclosed = (
  tag: 'file' | 'voice' | 'document' | 'note' | 'words',
  marks: Readonly<Record<string, string>>,
  text: string,
): string => {
  const named = Object.entries(marks).map(([name, value]) => ` ${name}="${attribute(value)}"`)
  return `<${tag}${named.join('')}>\n${unmarked(text)}\n</${tag}>`
}

/** How words came, and whose they are where that is known. */
export const markedBy = ({ from, by }: Pick<MessagePart, 'from' | 'by'>): Readonly<Record<string, string>> =>
  by === null ? { from } : { from, by }

/** Words of others as they enter a prompt: none of these marks and no token of a chat template is in them. */
export const unmarked = (text: string): string => withoutTokens(withoutMarks(text))

/** What the user types stays as it is, but for the marks. */
export const withoutMarks = (text: string): string =>
  text.replace(/<(?=[\s/]*(?:file|voice|document|note|words)\b)/gi, '‹')

/**
 * Breaks the tokens by which chat templates begin and end a message, a call or a thought, with a blank that
 * can be seen. Some runtimes take them for what they stand for, wherever they are.
 */
export const withoutTokens = (text: string): string =>
  text
    .replace(bars, '< $1$2$3 >')
    .replace(tags, '< ')
    .replace(brackets, '[ ')
    .replace(/<<(?=\/?SYS>>)/gi, '< <')

/** Of Qwen, Llama 3, Phi, GPT-OSS, and DeepSeek with full-width bars. */
const bars = /<([|｜])([^<>|｜\n]{1,60})([|｜])>/g
/** Of Gemma, Llama 2, Qwen, GLM. */
const tags =
  /<(?=\/?(?:s|bos|eos|pad|unk|sop|eop|think|tools|tool_call|tool_response|start_of_turn|end_of_turn|start_of_image|end_of_image)>)/gi
/** Of Llama 2 and Mistral. */
const brackets =
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_CONTENT|TOOL_RESULTS|gMASK|sMASK)\])/gi

/**
 * A name that somebody gave, as it stands in a mark or between quotation marks: on one line, and closing
 * nothing.
 */
export const attribute = (value: string): string =>
  cutWhole(withoutTokens(value).replace(/["<>“”\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' '), 200)

/** The beginning of a text, with a word about what was left out. UTF-16 units, never half a character. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${cutWhole(text, most)}\n[… ${text.length - most} more characters]`

const cutWhole = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
