/**
 * Loaded into a daemon process: deriving a recovery phrase takes as long as usual but needs no CPU. Otherwise
 * it would dominate tests that do not concern phrases.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import argon2 from 'argon2'

Object.assign(argon2, {
  hash: async (entropy) => {
    await pause(100)
    return createHash('sha256').update(entropy).digest()
  },
})
