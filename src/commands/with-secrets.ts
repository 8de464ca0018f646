/**
 * Secrets that come with a change: kept before the facts that refer to them, and gone again where the change
 * fails.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'

/**
 * `keep` resolves with the reference to a secret that is on the disk. Rejects with what `change` does, once
 * nothing of it is kept.
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
    // Why it could not be saved is what the caller needs to know.
    for (const ref of kept)
      await personas
        .dropSecret(id, ref)
        .catch((err: unknown) =>
          log.warn({ id, err }, `a ${what} that came with a change that failed could not be removed yet`),
        )
    throw error
  }
}
