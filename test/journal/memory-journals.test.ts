/** Runs the conformance tests in memory, with crashes. */
import { suite } from 'uvu'
import { conformance } from '../../journal/conformance/conformance.ts'
import { memoryEngine } from './engines.ts'

const test = suite('journals in memory')

conformance(test, memoryEngine)

test.run()
