/** Errors of an authorization as messages for the user, and a fetch that refuses unsafe addresses. */
import type { Fetch } from '../kit/network/network.ts'
import { isSafe } from './authorization-flow.ts'
import type { SecretMask } from './secret-mask.ts'
import { plainLine, ServerTrouble } from './trouble.ts'

/** The same text as for a plain status 403. */
export const notEnough = 'It refuses access (403): the authorization is not sufficient.'

export const requireEncryption =
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

/** Sets no `cause`, because the original error may contain the request. */
export const notBegun = (error: unknown, mask: SecretMask): ServerTrouble => {
  if (error instanceof ServerTrouble) return error
  const reason = error instanceof Error ? plainLine(mask.text(error.message), 200) : 'no reason given'
  return new ServerTrouble(`It requires an authorization, and that failed: ${reason}`, 'authorize', {
    status: 401,
  })
}

export const toUnreached = (error: unknown, mask: SecretMask): ServerTrouble =>
  new ServerTrouble(notBegun(error, mask).message, 'network')
