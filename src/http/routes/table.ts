/** Lists all routes. A route that is not listed is neither served nor described. */
import type { Route } from '../route.ts'
import { addChannel } from './add-channel.ts'
import { skillAddition } from './add-skill.ts'
import { amendMemory } from './amend-memory.ts'
import { attach } from './attach.ts'
import { calendarFeed } from './calendar-feed.ts'
import { cancelEntry } from './cancel-entry.ts'
import { comparison } from './compare-turn.ts'
import { create } from './create.ts'
import { deletion } from './delete.ts'
import { diagnose } from './diagnose.ts'
import { skillSwitch } from './enable-skill.ts'
import { erasure } from './erasure.ts'
import { exportation } from './export.ts'
import { feed } from './feed.ts'
import { forgetMemory } from './forget-memory.ts'
import { pushForgetting } from './forget-push.ts'
import { fork } from './fork.ts'
import { approvals } from './get-approvals.ts'
import { calendar } from './get-calendar.ts'
import { changes } from './get-changes.ts'
import { conversation } from './get-conversation.ts'
import { history } from './get-history.ts'
import { journal } from './get-journal.ts'
import { knowledge } from './get-knowledge.ts'
import { media } from './get-media.ts'
import { memories } from './get-memories.ts'
import { metrics } from './get-metrics.ts'
import { phraseState } from './get-phrase.ts'
import { providers } from './get-providers.ts'
import { pushKey } from './get-push-key.ts'
import { skill } from './get-skill.ts'
import { skills } from './get-skills.ts'
import { tools } from './get-tools.ts'
import { turn } from './get-turn.ts'
import { usage } from './get-usage.ts'
import { greet } from './greet.ts'
import { health } from './health.ts'
import { hear } from './hear.ts'
import { hush } from './hush.ts'
import { toolServerImport } from './import-tool-servers.ts'
import { toolServerJudge } from './judge-tool-servers.ts'
import { models } from './list-models.ts'
import { personas } from './list-personas.ts'
import { migrate } from './migrate.ts'
import { moveEntry } from './move-entry.ts'
import { pair } from './pair.ts'
import { phraseConfirmation } from './phrase-confirmed.ts'
import { planEntry } from './plan-entry.ts'
import { toolServerProbe } from './probe-tool-server.ts'
import { sleep } from './put-to-sleep.ts'
import { toolServer } from './put-tool-server.ts'
import { read } from './read.ts'
import { toolServerRead } from './read-tool-servers.ts'
import { removeChannel } from './remove-channel.ts'
import { skillRemoval } from './remove-skill.ts'
import { toolServerRemoval } from './remove-tool-server.ts'
import { phrase } from './renew-phrase.ts'
import { restart } from './restart.ts'
import { salvage } from './salvage-persona.ts'
import { search } from './search-life.ts'
import { hostMode } from './set-host-mode.ts'
import { toolMode } from './set-tool-mode.ts'
import { approval } from './settle-approval.ts'
import { settleProposed } from './settle-proposed.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'
import { pushSubscription } from './subscribe-push.ts'
import { undo } from './take-back.ts'
import { pushTrial } from './try-push.ts'
import { update } from './update.ts'
import { v1Chat } from './v1-chat.ts'
import { v1Model } from './v1-model.ts'
import { v1Models } from './v1-models.ts'
import { verify } from './verify-journal.ts'
import { writeMemory } from './write-memory.ts'

export const routes: readonly Route[] = [
  providers,
  personas,
  create,
  migrate,
  fork,
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
  settleProposed,
  calendar,
  planEntry,
  moveEntry,
  cancelEntry,
  calendarFeed,
  tools,
  toolServerImport,
  toolServerJudge,
  toolServerRead,
  toolServerProbe,
  toolServer,
  toolServerRemoval,
  hostMode,
  toolMode,
  approvals,
  approval,
  skills,
  skillAddition,
  skill,
  skillSwitch,
  skillRemoval,
  media,
  read,
  hear,
  attach,
  feed,
  greet,
  hush,
  turn,
  comparison,
  undo,
  search,
  usage,
  journal,
  history,
  changes,
  start,
  stop,
  restart,
  sleep,
  exportation,
  phraseState,
  phrase,
  phraseConfirmation,
  deletion,
  verify,
  salvage,
  erasure,
  models,
  pushKey,
  pushSubscription,
  pushForgetting,
  pushTrial,
  health,
  metrics,
  v1Models,
  v1Model,
  v1Chat,
]
