/**
 * What goes wrong on the way to a token, as a person is told, and the way itself, which is safe or not taken.
 */
import type { Fetch } from '../kit/network/network.ts'
import { isSafe } from './authorization-flow.ts'
import type { SecretMask } from './secret-mask.ts'
import { plainLine, ServerTrouble } from './trouble.ts'

/** As its status alone is told. */
export const notEnough = 'It refuses access (403): what authorizes is not enough for it.'

export const guarded =
  (fetch: Fetch): Fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isSafe(url))
      throw new ServerTrouble(
        'It is authorized by an address that is not encrypted, which is not asked.',
        'authorize',
      )
    return fetch(input, init)
  }

/** Nothing is handed on as a cause: an error may hold what was sent. */
export const notBegun = (error: unknown, mask: SecretMask): ServerTrouble => {
  if (error instanceof ServerTrouble) return error
  const why = error instanceof Error ? plainLine(mask.text(error.message), 200) : 'no reason given'
  return new ServerTrouble(`It wants to be authorized, and that did not come about: ${why}`, 'authorize', {
    status: 401,
  })
}

export const unreached = (error: unknown, mask: SecretMask): ServerTrouble =>
  new ServerTrouble(notBegun(error, mask).message, 'network')
