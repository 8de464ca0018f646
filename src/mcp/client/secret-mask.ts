/** The secrets of one server, and texts without them. */
import type { ServerConfig } from './server-config.ts'

export interface SecretMask {
  /** Also what becomes known later, as a token. */
  hide(secret: string): void
  text(text: string): string
  readonly words: () => readonly string[]
}

/** Characters; a shorter one would hide ordinary words. */
const shortest = 6

/** `hide`: told of each as well, for the daemon's log. */
export const createSecretMask = (hide: (secret: string) => void): SecretMask => {
  let words: readonly string[] = []
  const add = (secret: string) => {
    const forms = [
      secret,
      ...secret.split(/\r?\n/),
      encodeURIComponent(secret.toWellFormed()),
      inForm(secret),
      inJson(secret),
    ]
    const known = new Set(words)
    for (const form of forms) if (form.length >= shortest) known.add(form)
    // The longest first: one may begin with another.
    words = [...known].sort((one, other) => other.length - one.length)
    hide(secret)
  }
  return {
    hide: add,
    text: (text) => words.reduce((rest, word) => rest.replaceAll(word, '***'), text),
    words: () => words,
  }
}

/** As a form is sent: of more characters than an address has them. */
const inForm = (text: string): string => String(new URLSearchParams({ '': text })).slice(1)
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Whatever stands in `env`, in headers, in an address beside its place, and the secret of a client. */
export const secretsOf = (config: ServerConfig): readonly string[] => {
  if (config.transport === 'stdio') return Object.values(config.env)
  const headers = Object.values(config.headers).flatMap((value) => [value, value.replace(/^\S+\s+/, '')])
  return [...headers, ...inAddress(config.url), config.oauth?.client_secret ?? ''].filter(Boolean)
}

const inAddress = (address: string): readonly string[] => {
  if (!URL.canParse(address)) return [address]
  const url = new URL(address)
  return [url.password, decoded(url.password), ...url.searchParams.values()].filter(Boolean)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
