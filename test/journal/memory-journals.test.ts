/** Journals in memory keep what every journal promises, and lose what a crash takes. */
import { suite } from 'uvu'
import { conformance } from './conformance.ts'
import { memoryEngine } from './engines.ts'

const test = suite('journals in memory')

conformance(test, memoryEngine)

test.run()
