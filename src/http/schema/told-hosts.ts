/** What was decided of hosts of the web, as it is told. */

import { webDefinition } from '../../../packages/web-reading/web-definition.ts'
import { standingOf } from '../../../projections/declared-servers.ts'
import type { Self } from '../../../projections/self.ts'

export const hostsOf = ({ hosts }: Pick<Self, 'hosts'>) =>
  Object.entries(hosts).map(([host, choice]) => ({ host, mode: standingOf(choice, webDefinition) }))
