import type { PersonaId } from '../../../facts/fact-values.ts'
import type { Cluster } from './new-history.ts'

/**
 * Removes a persona from the servers, except its diaries. The journal is removed last, and its key before its
 * messages: after that, remaining messages are unreadable. If the removal is interrupted earlier, the next
 * host finds that the persona was deleted and continues. Throws Unavailable.
 */
export const removeFromServers = async (cluster: Cluster, id: PersonaId): Promise<void> => {
  const { keys, requests, names, files, secrets } = cluster
  await files.dropAll(id, 'media')
  await secrets.drop(id)
  const storedKey = await keys.get(id)
  if (storedKey) await keys.destroy(storedKey)
  await requests.purge(names.getStream(id), names.getAllSubjects(id))
}
