/** Stores secrets before the facts that refer to them, and removes them if the change fails. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'

/**
 * `keep` stores a secret and returns its reference. Rethrows the error of `change` after removing the
 * secrets.
 */
export const withSecrets = async <T>(
  { log, personas }: Pick<CommandDeps, 'log' | 'personas'>,
  id: PersonaId,
  kind: 'key' | 'token',
  change: (keepSecret: (secret: string) => Promise<string>) => Promise<T>,
): Promise<T> => {
  const keptFiles: string[] = []
  const keepSecret = async (secret: string) => {
    const ref = await personas.keepSecret(id, secret)
    keptFiles.push(ref)
    return ref
  }
  try {
    return await change(keepSecret)
  } catch (error) {
    // The caller needs the original error.
    for (const ref of keptFiles)
      await personas
        .dropSecret(id, ref)
        .catch((err: unknown) => log.warn({ id, err }, `failed to remove a ${kind} of a failed change`))
    throw error
  }
}
