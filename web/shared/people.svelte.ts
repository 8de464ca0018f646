/** The personas of this daemon as reactive state. */
import { createSubscriber } from 'svelte/reactivity'
import { createRegister, type People } from './register.ts'
import type { Persona } from './shapes.ts'

export const register = createRegister()
const follow = createSubscriber(register.watch)

export const people = {
  get now(): People {
    follow()
    return register.current()
  },
  find(id: string): Persona | undefined {
    follow()
    return register.find(id)
  },
}
