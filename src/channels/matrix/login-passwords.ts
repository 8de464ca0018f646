/**
 * Passwords of new sessions, in memory only. The homeserver may ask for the password once more when the
 * session uploads its first cross-signing keys.
 */
import type { Clock } from '../../../packages/kit/time/clock.ts'

export interface LoginPasswords {
  add(token: string, password: string): void
  /** Returns null if there is none, or if it is too old. */
  get(token: string): string | null
  remove(token: string): void
}

/** Milliseconds from the login to the upload. */
const keepMs = 10 * 60_000

export const createLoginPasswords = ({ now }: Pick<Clock, 'now'>): LoginPasswords => {
  const entries = new Map<
    string,
    { readonly password: string; readonly at: number; readonly timer: NodeJS.Timeout }
  >()
  const remove = (token: string) => {
    clearTimeout(entries.get(token)?.timer)
    entries.delete(token)
  }
  const removeOld = () => {
    for (const [token, { at }] of entries) if (Math.abs(now() - at) > keepMs) remove(token)
  }
  return {
    add: (token, password) => {
      removeOld()
      remove(token)
      const timer = setTimeout(() => remove(token), keepMs).unref()
      entries.set(token, { password, at: now(), timer })
    },
    get: (token) => {
      removeOld()
      return entries.get(token)?.password ?? null
    },
    remove,
  }
}
