/** Runs the steps of a page in a shell, one after another, and compares the output with the page. */
import { execFile, execFileSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { is, match, ok } from 'uvu/assert'
import { mainFile } from '../process/daemon.ts'
import type { Step } from './blocks.ts'

const hasCurl = () => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Returns a PATH that begins with `folder`, which contains `daimon`, and a curl on machines without one. */
export const toolsIn = async (folder: string): Promise<string> => {
  const script = async (name: string, file: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`)
    await chmod(join(folder, name), 0o755)
  }
  await script('daimon', mainFile)
  if (!hasCurl()) await script('curl', fileURLToPath(new URL('../readme/curl.mjs', import.meta.url)))
  return `${folder}:${process.env.PATH ?? ''}`
}

const mark = '=== the next step ==='

/** Runs `before` and then the steps. Each must succeed and print the output on the page. */
export const walk = async (
  textBefore: string,
  steps: readonly Step[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<readonly string[]> => {
  const script = ['set -eu', textBefore, ...steps.map(({ block }) => `\necho '${mark}'\n${block.text}`)].join(
    '\n',
  )
  const { stdout } = await promisify(execFile)('sh', ['-c', script], options).catch((error) => {
    const reachedStep = String(error.stdout).split(`${mark}\n`).length - 2
    throw new Error(`${getPlace(steps[reachedStep])}: ${error.stderr}\n${error.stdout.slice(-500)}`)
  })
  const [, ...printed] = stdout.split(`${mark}\n`)
  is(printed.length, steps.length)
  for (const [at, { prints, block }] of steps.entries()) {
    const printedText = printed[at] ?? ''
    ok(!/(?:^|\})\s*\{"detail"/.test(printedText), `${getPlace(steps[at])}: ${printedText}`)
    if (prints !== null) match(printedText, toPattern(prints), `${block.page}:${block.line}\n${printedText}`)
  }
  return printed
}

const getPlace = (step: Step | undefined): string =>
  step ? `${step.block.page}:${step.block.line}` : 'before the first step'

const toPattern = (prints: string): RegExp =>
  new RegExp(`^${prints.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}$`)
