/** Every route there is. One that is not here is neither served nor described. */
import type { Route } from '../route.ts'
import { conversation } from './conversation.ts'
import { create } from './create.ts'
import { deletion } from './delete.ts'
import { health } from './health.ts'
import { hush } from './hush.ts'
import { media } from './media.ts'
import { models } from './models.ts'
import { personas } from './personas.ts'
import { providers } from './providers.ts'
import { read } from './read.ts'
import { restart } from './restart.ts'
import { salvage } from './salvage.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'
import { update } from './update.ts'
import { verify } from './verify.ts'

export const routes: readonly Route[] = [
  providers,
  personas,
  create,
  update,
  conversation,
  media,
  read,
  hush,
  start,
  stop,
  restart,
  deletion,
  verify,
  salvage,
  models,
  health,
]
