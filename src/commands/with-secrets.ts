/** Stores secrets before the facts that refer to them, and removes them if the change fails. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'

/**
 * `keep` stores a secret and returns its reference. Rethrows the error of `change` after removing the
 * secrets.
 */
export const withSecrets = async <T>(
  { log, personas }: Pick<CommandDeps, 'log' | 'personas'>,
  id: PersonaId,
  what: 'key' | 'token',
  change: (keep: (secret: string) => Promise<string>) => Promise<T>,
): Promise<T> => {
  const kept: string[] = []
  const keep = async (secret: string) => {
    const ref = await personas.keepSecret(id, secret)
    kept.push(ref)
    return ref
  }
  try {
    return await change(keep)
  } catch (error) {
    // The caller needs the original error.
    for (const ref of kept)
      await personas
        .dropSecret(id, ref)
        .catch((err: unknown) => log.warn({ id, err }, `failed to remove a ${what} of a failed change`))
    throw error
  }
}
