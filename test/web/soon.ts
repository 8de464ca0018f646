/**
 * Assertions like those of `uvu/assert` that retry, because a page may show a value later. The error contains
 * the last value.
 */
import * as assert from 'uvu/assert'
import { pause } from '../calls.ts'

type Read<T> = () => T | Promise<T>

const holds = async <T>(read: Read<T>, check: (value: T) => void): Promise<void> => {
  const end = Date.now() + 15_000
  for (;;) {
    try {
      return check(await read())
    } catch (error) {
      if (!(error instanceof assert.Assertion) || Date.now() > end) throw error
    }
    await pause(30)
  }
}

export const soon = {
  is: <T>(read: Read<T>, expected: T, message?: string): Promise<void> =>
    holds(read, (value) => assert.is(value, expected, message)),
  equal: <T>(read: Read<T>, expected: T, message?: string): Promise<void> =>
    holds(read, (value) => assert.equal(value, expected, message)),
  match: (read: Read<string | null>, pattern: RegExp): Promise<void> =>
    holds(read, (value) => assert.match(value ?? '', pattern)),
  ok: (read: Read<unknown>, message?: string): Promise<void> =>
    holds(read, (value) => assert.ok(value, message)),
}
