import type { PersonaId } from '../../../facts/fact-values.ts'
import type { Stores } from '../../../journal/log/store.ts'
import type { Vocabulary } from '../../../journal/log/vocabulary.ts'
import type { PersonaLog } from './jetstream-log.ts'
import type { Cluster } from './new-history.ts'

export interface Engine {
  readonly cluster: Cluster
  readonly home: string
  readonly vocabulary: Vocabulary
  readonly local: Stores
  /** Logs of the open stores. */
  readonly open: Map<PersonaId, PersonaLog>
  /**
   * Caches that were rebuilt once because of damage: the persona id, and the history with its end. If such a
   * cache is still damaged, the servers hold the damage.
   */
  readonly renewedTokens: Map<PersonaId, string>
}
