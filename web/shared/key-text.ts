/** Cleans pasted keys, and recognizes whose they are. */
import type { Provider } from './shapes.ts'

export type KeyOwner =
  | Exclude<Provider, 'local'>
  | 'openrouter'
  | 'groq'
  | 'huggingface'
  | 'perplexity'

/** The first match counts. Keys of several other providers begin with `sk-` too, so only OpenAI's longer prefixes count. */
const prefixes: readonly (readonly [owner: KeyOwner, prefix: RegExp])[] = [
  ['anthropic', /^sk-ant-/],
  ['openrouter', /^sk-or-/],
  ['openai', /^sk-(proj|svcacct|admin|None)-/],
  ['gemini', /^AIza[\w-]{20}/],
  ['xai', /^xai-/],
  ['groq', /^gsk_/],
  ['huggingface', /^hf_/],
  ['perplexity', /^pplx-/],
]

/** Removes spaces, line breaks and quotes around a key. */
export const cleanKey = (text: string): string =>
  text.replace(/^[\s"'`‘’“”„‚«»‹›]+|[\s"'`‘’“”„‚«»‹›,;]+$/g, '')

/** Returns null if the prefix belongs to no known provider. */
export const getKeyOwner = (key: string): KeyOwner | null =>
  prefixes.find(([, prefix]) => prefix.test(key))?.[0] ?? null
