/** Matrix as a platform. Its packages are large, so they are loaded with the first account. */
import type { DiscreetLog } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { parseMatrixCredentials } from '../../../projections/channel-credentials.ts'
import type { Platform } from '../platform.ts'
import { openGateway } from './gateway.ts'
import { createLoginPasswords } from './login-passwords.ts'
import { createSignIn } from './sign-in.ts'

export interface MatrixDeps {
  readonly network: Network
  readonly clock: Clock
  readonly log: DiscreetLog
}

export const createMatrixPlatform = (deps: MatrixDeps): Platform => {
  const passwords = createLoginPasswords(deps.clock)
  return {
    kind: 'matrix',
    storesState: true,
    ...createSignIn({ ...deps, passwords }),
    open: (token, bot, listener, place) => {
      const credentials = parseMatrixCredentials(token)
      if (!credentials) throw new Error('the saved session of a Matrix account is damaged')
      return openGateway(credentials, bot, listener, place, { ...deps, passwords })
    },
  }
}
