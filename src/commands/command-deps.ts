/** Dependencies of commands. Each takes a part of them. */

import type { Histories } from '../../packages/history-import/histories.ts'
import type { KeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { LocalModels } from '../../packages/local-models/local-models.ts'
import type { Models } from '../../packages/models/models.ts'
import type { PageReader } from '../../packages/web-reading/page-reader.ts'
import type { WebSearch } from '../../packages/web-search/web-search.ts'
import type { Agents } from '../agents/agents.ts'
import type { Bus } from '../bus.ts'
import type { SubscribedCalendars } from '../calendar/subscribed-calendars.ts'
import type { Config } from '../config.ts'
import type { Diaries } from '../diary/diaries.ts'
import type { Mailboxes } from '../mail/mailboxes.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import type { RecoveryPhrase } from '../persona/phrase.ts'
import type { SignedHeads } from '../persona/signed-heads.ts'
import type { Search } from '../search/search.ts'
import type { ServerTools } from '../tool-servers/server-tools.ts'
import type { WebChannel } from '../web-channel.ts'
import type { Bots } from './bots.ts'

export interface CommandDeps {
  readonly personas: PersonaStore
  readonly diaries: Diaries
  readonly signedHeads: SignedHeads
  readonly agents: Agents
  readonly channels: Bots
  readonly models: Models
  readonly localModels: LocalModels
  readonly histories: Pick<Histories, 'open'>
  readonly search: Pick<Search, 'drop'>
  readonly serverTools: ServerTools
  /** Null if reading web pages is switched off. */
  readonly pageReader: PageReader | null
  /** Null if searching the web is switched off. */
  readonly webSearch: WebSearch | null
  /** Calendars of others. */
  readonly subscribedCalendars: SubscribedCalendars
  readonly mailboxes: Mailboxes
  readonly bus: Bus
  readonly web: WebChannel
  readonly clock: Clock
  readonly config: Pick<Config, 'urls'>
  readonly log: Log
  readonly newId: () => string
  readonly newPhrase: () => Promise<RecoveryPhrase>
  /** Derives the key of diaries from the bits of the phrase (`identityOf` in `phrase.ts`). */
  readonly toIdentity: (entropy: Uint8Array) => Promise<string>
  /** Serializes changes per persona. */
  readonly inTurn: KeyedMutex['run']
}
