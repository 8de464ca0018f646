/** Every route there is. One that is not here is neither served nor described. */
import type { Route } from '../route.ts'
import { attach } from './attach.ts'
import { conversation } from './conversation.ts'
import { create } from './create.ts'
import { deletion } from './delete.ts'
import { health } from './health.ts'
import { hear } from './hear.ts'
import { hush } from './hush.ts'
import { knowledge } from './knowledge.ts'
import { media } from './media.ts'
import { models } from './models.ts'
import { personas } from './personas.ts'
import { providers } from './providers.ts'
import { read } from './read.ts'
import { restart } from './restart.ts'
import { salvage } from './salvage.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'
import { turn } from './turn.ts'
import { update } from './update.ts'
import { usage } from './usage.ts'
import { v1Chat } from './v1-chat.ts'
import { v1Model } from './v1-model.ts'
import { v1Models } from './v1-models.ts'
import { verify } from './verify.ts'

export const routes: readonly Route[] = [
  providers,
  personas,
  create,
  update,
  conversation,
  knowledge,
  media,
  read,
  hear,
  attach,
  hush,
  turn,
  usage,
  start,
  stop,
  restart,
  deletion,
  verify,
  salvage,
  models,
  health,
  v1Models,
  v1Model,
  v1Chat,
]
