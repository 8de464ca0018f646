/** Cleans pasted keys, and recognizes whose they are. */
import type { Provider } from './shapes.ts'

export type KeyOwner = Exclude<Provider, 'local'> | 'openrouter' | 'groq' | 'huggingface' | 'perplexity'

/** The first match counts. Keys of several providers begin with `sk-`, so OpenAI's needs a longer prefix. */
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

const wrappings = /[\s"'`‘’“”„‚«»‹›,;]/

/** Removes spaces, line breaks and quotes around a key. */
export const cleanKey = (text: string): string => {
  const letters = [...text]
  const start = letters.findIndex((letter) => !wrappings.test(letter))
  const end = letters.findLastIndex((letter) => !wrappings.test(letter))
  return start === -1 ? '' : letters.slice(start, end + 1).join('')
}

/** Returns null if the prefix belongs to no known provider. */
export const getKeyOwner = (key: string): KeyOwner | null =>
  prefixes.find(([, prefix]) => prefix.test(key))?.[0] ?? null
