/**
 * For a daemon of its own: a recovery phrase's derivation takes as long as the real one and no work. Where
 * nobody looks at phrases it would be most of what the daemon does.
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
