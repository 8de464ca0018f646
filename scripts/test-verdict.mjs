/** Evaluates the run of a test file. */

/** Returns the counts of a file that had `limit` ms, and the reasons if it failed. */
export const judgeResult = ({ code, signal, hung, ms, cpuMs, stdout, output, changed, end }, limit) => {
  const { total, passed, skipped } = totals(stdout)
  const reasons = [
    hung && `still running after ${limit / 1000} s`,
    signal && !hung && `ended by ${signal}`,
    !hung && total === undefined && 'ended without totals',
    total === 0 && 'has no tests',
    total > passed && `${total - passed} failed`,
    skipped && `${skipped} switched off`,
    code && total === passed && `exit code ${code}`,
    changed.length && `left ${changed.join(', ')} changed`,
    end,
  ].filter(Boolean)
  const failedCount = (total ?? 0) - (passed ?? 0) + (skipped ?? 0)
  return {
    passed: passed ?? 0,
    failed: reasons.length ? Math.max(1, failedCount) : 0,
    why: reasons.join(', '),
    ms,
    cpuMs,
    output,
  }
}

/** Returns the first suite that the file creates but never runs. Uvu ignores it silently and exits with 0. */
export const notRun = (source) => {
  const suiteNames = [...source.matchAll(/\b(\w+)\s*=\s*suite\s*[(<]/g)].map(([, name]) => name)
  const suites = suiteNames.length ? suiteNames : ['test']
  return suites.find((name) => !new RegExp(`\\b${name}\\.run\\(\\)`).test(source))
}

/** Sums up uvu's summary lines. Undefined if there are none. */
const totals = (stdout) => {
  const blocks = [
    ...stdout.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /gm),
  ]
  if (!blocks.length) return {}
  const add = (column) => blocks.reduce((sum, block) => sum + Number(block[column]), 0)
  return { total: add(1), passed: add(2), skipped: add(3) }
}
