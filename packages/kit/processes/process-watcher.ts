/**
 * A shell that waits next to the daemon's child processes. When the daemon is killed, the shell reads the end
 * of its input and ends them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { markName, type ProcessMark } from './process-mark.ts'

/**
 * Programs get a second to end by themselves, since their input ends too, then SIGTERM, then SIGKILL. On
 * Linux, the mark finds processes that left their group. The number of scans is limited, because a process
 * that cannot be killed is found every time.
 */
const script = `mark=$1
targets=
while read -r sign target; do
  kept=
  for one in $targets; do [ "$one" = "$target" ] || kept="$kept $one"; done
  targets=$kept
  [ "$sign" = + ] && targets="$targets $target"
done
[ -z "$targets" ] && exit
signal_marked() {
  found=1
  [ -n "$mark" ] || return 1
  for file in $(grep -lsF -- "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    grep -qsF -- "$mark" "$file" && kill -s "$1" -- "\${pid%/environ}" && found=0
  done
  return $found
}
signal_all() {
  for one in $targets; do
    case $one in marked*) ;; *) kill -s "$1" -- "$one" ;; esac
  done
  signal_marked "$1"
}
sleep 1
signal_all TERM
sleep 1
signal_all KILL
rounds=0
empty=0
while [ $empty -lt 3 ] && [ $rounds -lt 100 ]; do
  rounds=$((rounds + 1))
  empty=$((empty + 1))
  if signal_marked KILL; then empty=0; fi
done`

let input: Writable | undefined
const targets = new Set<string>()

const start = (run: string): Writable => {
  // Its own session, so that signals to the terminal or the daemon's group do not reach it.
  const shell = spawn('/bin/sh', ['-c', script, 'sh', run && `${markName}=${run}`], {
    cwd: '/',
    // The mark is an argument, not a variable, or the shell would find itself.
    env: { PATH: `/usr/bin:/bin:${process.env.PATH ?? ''}` },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, only the daemon itself ends processes.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return shell.stdin
}

/**
 * Watches all processes that inherit the mark. Call it before starting the first one, because the daemon may
 * be killed right after. Returns a function that stops it.
 */
export const watchMark = (mark: ProcessMark | null): (() => void) =>
  mark ? watch(`marked-${mark.value}`, mark.run) : () => undefined

/** Watches a child until it ends. `isGroup`: it leads a process group. */
export const watchChild = (child: ChildProcess, mark: ProcessMark | null, isGroup = false): void => {
  if (process.platform === 'win32' || child.pid === undefined) return
  child.once('exit', watch(isGroup ? `-${child.pid}` : `${child.pid}`, mark?.run ?? ''))
}

/** Ends the shell after the last target. */
const watch = (target: string, run: string): (() => void) => {
  input ??= start(run)
  targets.add(target)
  input.write(`+ ${target}\n`)
  return () => {
    if (!targets.delete(target)) return
    input?.write(`- ${target}\n`)
    if (targets.size > 0) return
    input?.end()
    input = undefined
  }
}
