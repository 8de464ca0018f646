/**
 * A small shell beside the servers that run: where this process is killed, so that it can end nothing itself,
 * the shell sees the end of its input and ends what is left of them.
 */
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * Of the groups it was told, and that were not taken back. Servers end by themselves first, then are asked
 * to.
 */
const script = `groups=
while read -r sign group; do
  kept=
  for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
  groups=$kept
  [ "$sign" = + ] && groups="$groups $group"
done
[ -z "$groups" ] && exit
sleep 1
for one in $groups; do kill -s TERM -- "-$one"; done
sleep 1
for one in $groups; do kill -s KILL -- "-$one"; done`

let watching: Writable | undefined

const start = (): Writable => {
  // In a session of its own: what is typed at a terminal, or sent to this process and all of its, is not for
  // it.
  const shell = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, servers are ended by this process alone.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return shell.stdin
}

/** `group`: the id of a process that leads a group of its own. */
export const watchGroup = (group: number): void => {
  watching ??= start()
  watching.write(`+ ${group}\n`)
}

/** `isLast`: there is nothing left to be watched. */
export const unwatchGroup = (group: number, isLast: boolean): void => {
  watching?.write(`- ${group}\n`)
  if (!isLast) return
  watching?.end()
  watching = undefined
}
