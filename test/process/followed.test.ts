/**
 * A client that follows a journal while the daemon is killed, and reconnects at its last position, misses and
 * repeats nothing.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type FollowedAudit, followAudit, type Line, readAudit } from '../audit-stream.ts'
import { call, pause, waitFor } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { createName, fillHome } from '../ordeal/homes.ts'
import { createChance } from '../random.ts'
import { startProcess } from './daemon.ts'

const id = createName(0)
const kills = 4

/** Fails if a client reconnects one position earlier, and if a stream begins at `after`. */
test('receives every fact once while the daemon is killed repeatedly', async () => {
  const chance = createChance('a followed journal')
  const home = await tempHome()
  await fillHome(home, [2000])
  const seenLines: Line[] = []
  for (let round = 0; round <= kills; round++) {
    const daemon = await startProcess({ home })
    const follower: FollowedAudit = await followAudit(daemon.url, id, `&after=${seenLines.at(-1)?.seq ?? 0}`)
    let isFollowing = true
    let writeCount = 0
    const pendingWrites = (async () => {
      for (; isFollowing; writeCount++)
        await call(daemon.url, 'POST', `/api/persona/${id}/update`, {
          name: `name ${round} ${writeCount}`,
        }).catch(() => undefined)
    })()
    await waitFor('something written', () => writeCount > 3)
    await pause(chance.pickBetween(0, 300))
    if (round < kills) await daemon.kill('SIGKILL')
    isFollowing = false
    await pendingWrites
    if (round === kills) {
      const all = await readAudit(daemon.url, id)
      const last = all.at(-1)?.seq
      await waitFor('the last fact', () => follower.lines.at(-1)?.seq === last)
      follower.leave()
      assert.equal([...seenLines, ...follower.lines], all)
      await daemon.kill('SIGTERM')
    } else {
      assert.is(await follower.whenEnded, false, 'an interrupted stream fails')
      seenLines.push(...follower.lines)
    }
  }
  await rm(home, { recursive: true })
})

test.run()
