/** Shows the decisions about web hosts. */

import { webDefinition } from '../../../packages/web-reading/web-definition.ts'
import { standingOf } from '../../../projections/declared-servers.ts'
import type { Self } from '../../../projections/self.ts'

export const hostsOf = ({ hosts }: Pick<Self, 'hosts'>) =>
  Object.entries(hosts).map(([host, choice]) => ({ host, mode: standingOf(choice, webDefinition) }))
