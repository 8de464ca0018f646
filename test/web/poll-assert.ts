/**
 * Assertions like those of `uvu/assert` that retry, because a page may show a value later. The error contains
 * the last value.
 */
import * as assert from 'uvu/assert'
import { pause } from '../calls.ts'

type ReadValue<T> = () => T | Promise<T>

const holds = async <T>(readValue: ReadValue<T>, check: (value: T) => void): Promise<void> => {
  const end = Date.now() + 15_000
  for (;;) {
    try {
      return check(await readValue())
    } catch (error) {
      if (!(error instanceof assert.Assertion) || Date.now() > end) throw error
    }
    await pause(30)
  }
}

export const pollAssert = {
  is: <T>(readValue: ReadValue<T>, expectedValue: T, message?: string): Promise<void> =>
    holds(readValue, (value) => assert.is(value, expectedValue, message)),
  equal: <T>(readValue: ReadValue<T>, expectedValue: T, message?: string): Promise<void> =>
    holds(readValue, (value) => assert.equal(value, expectedValue, message)),
  match: (readValue: ReadValue<string | null>, pattern: RegExp): Promise<void> =>
    holds(readValue, (value) => assert.match(value ?? '', pattern)),
  ok: (readValue: ReadValue<unknown>, message?: string): Promise<void> =>
    holds(readValue, (value) => assert.ok(value, message)),
}
