/** Runs the conformance tests on LevelDB. */
import { suite } from 'uvu'
import { conformance } from '../../journal/conformance/conformance.ts'
import { levelEngine } from './engines.ts'

const test = suite('journals in LevelDB')

conformance(test, levelEngine)

test.run()
