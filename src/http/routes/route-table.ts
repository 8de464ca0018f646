/** Lists all routes. A route that is not listed is neither served nor described. */
import type { Route } from '../route.ts'
import { auditionRoute, getAuditionTurnsRoute } from './audition.ts'
import {
  calendarFeedRoute,
  cancelEntryRoute,
  getCalendarRoute,
  moveEntryRoute,
  planEntryRoute,
} from './calendar.ts'
import {
  findCalendarsRoute,
  listSubscriptionsRoute,
  refreshSubscriptionRoute,
  subscribeCalendarRoute,
  unsubscribeCalendarRoute,
} from './calendar-subscriptions.ts'
import { checkWordsRoute, getCareRoute, putCareRoute } from './care.ts'
import { getCausesRoute, getEffectsRoute } from './causes.ts'
import { getChangesRoute } from './changes.ts'
import { addChannelRoute, pairRoute, removeChannelRoute } from './channels.ts'
import {
  getCharacterRoute,
  getLinesRoute,
  getPresetsRoute,
  markLineRoute,
  readCardRoute,
  setCharacterRoute,
  unmarkLineRoute,
} from './character.ts'
import { getConversationRoute } from './conversation.ts'
import { exportRoute, getPhraseRoute, phraseConfirmedRoute, renewPhraseRoute } from './diary.ts'
import { erasureRoute } from './erase.ts'
import { getFactSchemaRoute } from './facts.ts'
import { forkRoute } from './fork.ts'
import { listHeadsRoute, signHeadRoute } from './heads.ts'
import { diagnoseRoute, getMetricsRoute, healthRoute, listOrgansRoute } from './health.ts'
import { getHistoryRoute } from './history.ts'
import { feedRoute } from './import.ts'
import { changeReasonRoute, getInitiativeRoute, removeReasonRoute, setInitiativeRoute } from './initiative.ts'
import { getJournalRoute, salvagePersonaRoute } from './journal.ts'
import { putToSleepRoute, restartRoute, startRoute, stopRoute } from './lifecycle.ts'
import {
  cancelLocalModelRoute,
  getLocalModelRoute,
  installRuntimeRoute,
  listLocalModelsRoute,
  removeLocalModelRoute,
} from './local-models.ts'
import {
  connectMailboxRoute,
  disconnectMailboxRoute,
  listMailboxesRoute,
  listMailsRoute,
  refreshMailboxRoute,
} from './mailboxes.ts'
import { getMediaRoute } from './media.ts'
import {
  amendMemoryRoute,
  forgetMemoryRoute,
  getKnowledgeRoute,
  getMemoriesRoute,
  settleProposedRoute,
  writeMemoryRoute,
} from './memory.ts'
import { askAnswerRoute, askOtherModelRoute, chooseAnswerRoute, editMessageRoute } from './messages.ts'
import { migrateRoute } from './migrate.ts'
import { getProvidersRoute, listModelsRoute, testMindRoute, testModelRoute, tryMindRoute } from './models.ts'
import { createRoute, deleteRoute, listPersonasRoute, updateRoute } from './persona.ts'
import { drawPortraitRoute, getPortraitRoute, removePortraitRoute, setPortraitRoute } from './portrait.ts'
import { listProjectionsRoute, rebuildProjectionRoute } from './projections.ts'
import { forgetPushRoute, getPushKeyRoute, subscribePushRoute, tryPushRoute } from './push.ts'
import {
  cancelResponseRoute,
  createResponseRoute,
  deleteResponseRoute,
  getResponseRoute,
  responseInputRoute,
} from './responses.ts'
import { searchLifeRoute } from './search.ts'
import { addSkillRoute, enableSkillRoute, getSkillRoute, getSkillsRoute, removeSkillRoute } from './skills.ts'
import {
  acknowledgeFactsRoute,
  dropDeadLetterRoute,
  getFactSubscriptionRoute,
  listDeadLettersRoute,
  listFactSubscriptionsRoute,
  pullFactsRoute,
  putFactSubscriptionRoute,
  removeFactSubscriptionRoute,
  replayFactsRoute,
  retryFactsRoute,
} from './subscriptions.ts'
import { attachRoute, greetRoute, hearRoute, hushRoute, readRoute, speakRoute, typingRoute } from './talk.ts'
import {
  importToolServersRoute,
  judgeToolServersRoute,
  probeToolServerRoute,
  putToolServerRoute,
  readToolServersRoute,
  removeToolServerRoute,
} from './tool-servers.ts'
import {
  getApprovalsRoute,
  getToolsRoute,
  setHostModeRoute,
  setToolModeRoute,
  settleApprovalRoute,
} from './tools.ts'
import { compareTurnRoute, getTurnRoute } from './turn.ts'
import { takeBackRoute } from './undo.ts'
import { getUsageRoute } from './usage.ts'
import { v1ChatRoute, v1ModelRoute, v1ModelsRoute } from './v1.ts'
import { verifyJournalRoute } from './verify.ts'
import {
  getSearchProvidersRoute,
  putSearchProvidersRoute,
  setSearchModeRoute,
  testSearchProviderRoute,
} from './web-search.ts'

export const routes: readonly Route[] = [
  getProvidersRoute,
  listPersonasRoute,
  createRoute,
  migrateRoute,
  forkRoute,
  diagnoseRoute,
  listOrgansRoute,
  updateRoute,
  getPresetsRoute,
  readCardRoute,
  getCharacterRoute,
  setCharacterRoute,
  getLinesRoute,
  markLineRoute,
  unmarkLineRoute,
  getPortraitRoute,
  setPortraitRoute,
  removePortraitRoute,
  drawPortraitRoute,
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
  listMailboxesRoute,
  connectMailboxRoute,
  refreshMailboxRoute,
  disconnectMailboxRoute,
  listMailsRoute,
  // Before the routes of an entry, whose path matches too.
  listSubscriptionsRoute,
  subscribeCalendarRoute,
  findCalendarsRoute,
  refreshSubscriptionRoute,
  unsubscribeCalendarRoute,
  planEntryRoute,
  moveEntryRoute,
  cancelEntryRoute,
  calendarFeedRoute,
  getInitiativeRoute,
  setInitiativeRoute,
  changeReasonRoute,
  removeReasonRoute,
  getToolsRoute,
  importToolServersRoute,
  judgeToolServersRoute,
  readToolServersRoute,
  probeToolServerRoute,
  putToolServerRoute,
  removeToolServerRoute,
  getSearchProvidersRoute,
  putSearchProvidersRoute,
  setSearchModeRoute,
  testSearchProviderRoute,
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
  typingRoute,
  speakRoute,
  askAnswerRoute,
  askOtherModelRoute,
  chooseAnswerRoute,
  editMessageRoute,
  getTurnRoute,
  compareTurnRoute,
  getAuditionTurnsRoute,
  auditionRoute,
  takeBackRoute,
  searchLifeRoute,
  getUsageRoute,
  getJournalRoute,
  listFactSubscriptionsRoute,
  getFactSubscriptionRoute,
  putFactSubscriptionRoute,
  removeFactSubscriptionRoute,
  replayFactsRoute,
  pullFactsRoute,
  acknowledgeFactsRoute,
  listDeadLettersRoute,
  retryFactsRoute,
  dropDeadLetterRoute,
  getCausesRoute,
  getEffectsRoute,
  getFactSchemaRoute,
  listHeadsRoute,
  signHeadRoute,
  getHistoryRoute,
  getCareRoute,
  putCareRoute,
  checkWordsRoute,
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
  listProjectionsRoute,
  rebuildProjectionRoute,
  salvagePersonaRoute,
  erasureRoute,
  listModelsRoute,
  testModelRoute,
  testMindRoute,
  tryMindRoute,
  listLocalModelsRoute,
  getLocalModelRoute,
  installRuntimeRoute,
  cancelLocalModelRoute,
  removeLocalModelRoute,
  getPushKeyRoute,
  subscribePushRoute,
  forgetPushRoute,
  tryPushRoute,
  healthRoute,
  getMetricsRoute,
  v1ModelsRoute,
  v1ModelRoute,
  v1ChatRoute,
  createResponseRoute,
  getResponseRoute,
  deleteResponseRoute,
  responseInputRoute,
  cancelResponseRoute,
]
