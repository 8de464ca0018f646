/** Marks text with its origin, so that a model cannot mistake it for the frame of the prompt. */

import type { MessagePart } from '../../../facts/fact-values.ts'

/** Returns `<tag name="…">…</tag>`. The text inside cannot close it or open another mark. */
export const encloseInTag = (
  tag: 'file' | 'voice' | 'document' | 'note' | 'words',
  marks: Readonly<Record<string, string>>,
  text: string,
): string => {
  const attributes = Object.entries(marks).map(([name, value]) => ` ${name}="${attribute(value)}"`)
  return `<${tag}${attributes.join('')}>\n${removeMarkup(text)}\n</${tag}>`
}

/** Returns how the text arrived, and its author if known. */
export const markedBy = ({ from, by }: Pick<MessagePart, 'from' | 'by'>): Readonly<Record<string, string>> =>
  by === null ? { from } : { from, by }

/** Neutralizes the marks and all chat template tokens in text of others. */
export const removeMarkup = (text: string): string => withoutTokens(withoutMarks(text))

/** For text of the user: neutralizes only the marks. */
export const withoutMarks = (text: string): string =>
  text.replace(/<(?=[\s/]*(?:file|voice|document|note|words)\b)/gi, '‹')

/**
 * Breaks chat template tokens (start and end of a message, a call or a thought) with a visible space. Some
 * runtimes interpret them anywhere in a prompt.
 */
export const withoutTokens = (text: string): string =>
  text
    .replace(bars, '< $1$2$3 >')
    .replace(tags, '< ')
    .replace(brackets, '[ ')
    .replace(/<<(?=\/?SYS>>)/gi, '< <')

/** Tokens of Qwen, Llama 3, Phi, GPT-OSS, and DeepSeek (full-width bars). */
const bars = /<([|｜])([^<>|｜\n]{1,60})([|｜])>/g
/** Tokens of Gemma, Llama 2, Qwen and GLM. */
const tags =
  /<(?=\/?(?:s|bos|eos|pad|unk|sop|eop|think|tools|tool_call|tool_response|start_of_turn|end_of_turn|start_of_image|end_of_image)>)/gi
/** Tokens of Llama 2 and Mistral. */
const brackets =
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_CONTENT|TOOL_RESULTS|gMASK|sMASK)\])/gi

/**
 * Makes an untrusted name safe inside an attribute or quotation marks: one line, without quotes and angle
 * brackets.
 */
export const attribute = (value: string): string =>
  cutWhole(withoutTokens(value).replace(/["<>“”\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' '), 200)

/**
 * Cuts a text and appends the number of omitted characters. `most`: UTF-16 units. Never splits a surrogate
 * pair.
 */
export const cutTo = (text: string, maxUnits: number): string =>
  text.length <= maxUnits
    ? text
    : `${cutWhole(text, maxUnits)}\n[… ${text.length - maxUnits} more characters]`

/** Returns the UTF-16 units that a text had before `cutTo`. */
export const countFullUnits = (text: string): number => {
  const [end = '', omittedCount = 0] = /\n\[… (\d{1,12}) more characters\]$/.exec(text) ?? []
  return text.length - end.length + Number(omittedCount)
}

/** Cuts a text. Never splits a surrogate pair. */
export const cutWhole = (text: string, maxUnits: number): string =>
  text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '')
