/** The bot tokens of a new persona. */
import { type TokenKind, tokenKinds } from '../shared/channel-kinds.ts'

export class Tokens {
  byKind = $state<Partial<Record<TokenKind, string>>>({})

  /** Returns the request's fields. Omits empty ones. */
  read(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      tokenKinds.flatMap((kind) => {
        const token = this.byKind[kind]?.trim()
        return token ? [[`${kind}_token`, token]] : []
      }),
    )
  }
}
