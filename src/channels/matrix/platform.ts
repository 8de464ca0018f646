/** Matrix as a platform. */
import type { DiscreetLog } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Platform } from '../platform.ts'
import { createSignIn } from './sign-in.ts'

export interface MatrixDeps {
  readonly network: Network
  readonly clock: Clock
  readonly log: DiscreetLog
}

export const createMatrixPlatform = (deps: MatrixDeps): Platform => ({
  kind: 'matrix',
  storesState: true,
  ...createSignIn(deps),
  open: () => {
    throw new Error('the connection of a Matrix account is not part of this build')
  },
})
