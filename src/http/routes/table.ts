/** Lists all routes. A route that is not listed is neither served nor described. */
import type { Route } from '../route.ts'
import { addChannelRoute } from './add-channel.ts'
import { addSkillRoute } from './add-skill.ts'
import { amendMemoryRoute } from './amend-memory.ts'
import { attachRoute } from './attach.ts'
import { calendarFeedRoute } from './calendar-feed.ts'
import { cancelEntryRoute } from './cancel-entry.ts'
import { compareTurnRoute } from './compare-turn.ts'
import { createRoute } from './create.ts'
import { deleteRoute } from './delete.ts'
import { diagnoseRoute } from './diagnose.ts'
import { enableSkillRoute } from './enable-skill.ts'
import { erasureRoute } from './erasure.ts'
import { exportRoute } from './export.ts'
import { feedRoute } from './feed.ts'
import { forgetMemoryRoute } from './forget-memory.ts'
import { forgetPushRoute } from './forget-push.ts'
import { forkRoute } from './fork.ts'
import { getApprovalsRoute } from './get-approvals.ts'
import { getCalendarRoute } from './get-calendar.ts'
import { getChangesRoute } from './get-changes.ts'
import { getConversationRoute } from './get-conversation.ts'
import { getHistoryRoute } from './get-history.ts'
import { getJournalRoute } from './get-journal.ts'
import { getKnowledgeRoute } from './get-knowledge.ts'
import { getMediaRoute } from './get-media.ts'
import { getMemoriesRoute } from './get-memories.ts'
import { getMetricsRoute } from './get-metrics.ts'
import { getPhraseRoute } from './get-phrase.ts'
import { getProvidersRoute } from './get-providers.ts'
import { getPushKeyRoute } from './get-push-key.ts'
import { getSkillRoute } from './get-skill.ts'
import { getSkillsRoute } from './get-skills.ts'
import { getToolsRoute } from './get-tools.ts'
import { getTurnRoute } from './get-turn.ts'
import { getUsageRoute } from './get-usage.ts'
import { greetRoute } from './greet.ts'
import { healthRoute } from './health.ts'
import { hearRoute } from './hear.ts'
import { hushRoute } from './hush.ts'
import { importToolServersRoute } from './import-tool-servers.ts'
import { judgeToolServersRoute } from './judge-tool-servers.ts'
import { listModelsRoute } from './list-models.ts'
import { listPersonasRoute } from './list-personas.ts'
import { migrateRoute } from './migrate.ts'
import { moveEntryRoute } from './move-entry.ts'
import { pairRoute } from './pair.ts'
import { phraseConfirmedRoute } from './phrase-confirmed.ts'
import { planEntryRoute } from './plan-entry.ts'
import { probeToolServerRoute } from './probe-tool-server.ts'
import { putToSleepRoute } from './put-to-sleep.ts'
import { putToolServerRoute } from './put-tool-server.ts'
import { readRoute } from './read.ts'
import { readToolServersRoute } from './read-tool-servers.ts'
import { removeChannelRoute } from './remove-channel.ts'
import { removeSkillRoute } from './remove-skill.ts'
import { removeToolServerRoute } from './remove-tool-server.ts'
import { renewPhraseRoute } from './renew-phrase.ts'
import { restartRoute } from './restart.ts'
import { salvagePersonaRoute } from './salvage-persona.ts'
import { searchLifeRoute } from './search-life.ts'
import { setHostModeRoute } from './set-host-mode.ts'
import { setToolModeRoute } from './set-tool-mode.ts'
import { settleApprovalRoute } from './settle-approval.ts'
import { settleProposedRoute } from './settle-proposed.ts'
import { startRoute } from './start.ts'
import { stopRoute } from './stop.ts'
import { subscribePushRoute } from './subscribe-push.ts'
import { takeBackRoute } from './take-back.ts'
import { tryPushRoute } from './try-push.ts'
import { updateRoute } from './update.ts'
import { v1ChatRoute } from './v1-chat.ts'
import { v1ModelRoute } from './v1-model.ts'
import { v1ModelsRoute } from './v1-models.ts'
import { verifyJournalRoute } from './verify-journal.ts'
import { writeMemoryRoute } from './write-memory.ts'

export const routes: readonly Route[] = [
  getProvidersRoute,
  listPersonasRoute,
  createRoute,
  migrateRoute,
  forkRoute,
  diagnoseRoute,
  updateRoute,
  addChannelRoute,
  removeChannelRoute,
  pairRoute,
  getConversationRoute,
  getKnowledgeRoute,
  getMemoriesRoute,
  writeMemoryRoute,
  amendMemoryRoute,
  forgetMemoryRoute,
  settleProposedRoute,
  getCalendarRoute,
  planEntryRoute,
  moveEntryRoute,
  cancelEntryRoute,
  calendarFeedRoute,
  getToolsRoute,
  importToolServersRoute,
  judgeToolServersRoute,
  readToolServersRoute,
  probeToolServerRoute,
  putToolServerRoute,
  removeToolServerRoute,
  setHostModeRoute,
  setToolModeRoute,
  getApprovalsRoute,
  settleApprovalRoute,
  getSkillsRoute,
  addSkillRoute,
  getSkillRoute,
  enableSkillRoute,
  removeSkillRoute,
  getMediaRoute,
  readRoute,
  hearRoute,
  attachRoute,
  feedRoute,
  greetRoute,
  hushRoute,
  getTurnRoute,
  compareTurnRoute,
  takeBackRoute,
  searchLifeRoute,
  getUsageRoute,
  getJournalRoute,
  getHistoryRoute,
  getChangesRoute,
  startRoute,
  stopRoute,
  restartRoute,
  putToSleepRoute,
  exportRoute,
  getPhraseRoute,
  renewPhraseRoute,
  phraseConfirmedRoute,
  deleteRoute,
  verifyJournalRoute,
  salvagePersonaRoute,
  erasureRoute,
  listModelsRoute,
  getPushKeyRoute,
  subscribePushRoute,
  forgetPushRoute,
  tryPushRoute,
  healthRoute,
  getMetricsRoute,
  v1ModelsRoute,
  v1ModelRoute,
  v1ChatRoute,
]
