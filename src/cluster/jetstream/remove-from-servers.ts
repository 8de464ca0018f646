/** How a persona leaves the servers, but for its diaries. */
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import type { Cluster } from './new-history.ts'

/**
 * The journal last, and of that the key first: from there on nobody reads what the servers have not yet
 * dropped, and what is cut off before is gone on with by its next host, who finds that it was deleted.
 * Unavailable.
 */
export const removeFromServers = async (cluster: Cluster, id: PersonaId): Promise<void> => {
  const { keys, requests, names, files, secrets } = cluster
  await files.dropAll(id, 'media')
  await secrets.drop(id)
  const kept = await keys.get(id)
  if (kept) await keys.destroy(kept)
  await requests.purge(names.streamOf(id), names.everything(id))
}
