/** Every route there is. One that is not here is neither served nor described. */
import type { Route } from '../route.ts'
import { addChannel } from './add-channel.ts'
import { amendMemory } from './amend-memory.ts'
import { attach } from './attach.ts'
import { calendar } from './calendar.ts'
import { calendarFeed } from './calendar-feed.ts'
import { cancelEntry } from './cancel-entry.ts'
import { conversation } from './conversation.ts'
import { create } from './create.ts'
import { deletion } from './delete.ts'
import { diagnose } from './diagnose.ts'
import { exportation } from './export.ts'
import { feed } from './feed.ts'
import { forgetMemory } from './forget-memory.ts'
import { health } from './health.ts'
import { hear } from './hear.ts'
import { hush } from './hush.ts'
import { knowledge } from './knowledge.ts'
import { media } from './media.ts'
import { memories } from './memories.ts'
import { migrate } from './migrate.ts'
import { models } from './models.ts'
import { moveEntry } from './move-entry.ts'
import { pair } from './pair.ts'
import { personas } from './personas.ts'
import { phrase } from './phrase.ts'
import { planEntry } from './plan-entry.ts'
import { providers } from './providers.ts'
import { read } from './read.ts'
import { removeChannel } from './remove-channel.ts'
import { restart } from './restart.ts'
import { salvage } from './salvage.ts'
import { search } from './search.ts'
import { sleep } from './sleep.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'
import { turn } from './turn.ts'
import { update } from './update.ts'
import { usage } from './usage.ts'
import { v1Chat } from './v1-chat.ts'
import { v1Model } from './v1-model.ts'
import { v1Models } from './v1-models.ts'
import { verify } from './verify.ts'
import { writeMemory } from './write-memory.ts'

export const routes: readonly Route[] = [
  providers,
  personas,
  create,
  migrate,
  diagnose,
  update,
  addChannel,
  removeChannel,
  pair,
  conversation,
  knowledge,
  memories,
  writeMemory,
  amendMemory,
  forgetMemory,
  calendar,
  planEntry,
  moveEntry,
  cancelEntry,
  calendarFeed,
  media,
  read,
  hear,
  attach,
  feed,
  hush,
  turn,
  search,
  usage,
  start,
  stop,
  restart,
  sleep,
  exportation,
  phrase,
  deletion,
  verify,
  salvage,
  models,
  health,
  v1Models,
  v1Model,
  v1Chat,
]
