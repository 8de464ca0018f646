/** Which tables a LevelDB counts as its own: a compaction that was cut off leaves others, and LevelDB clears them away. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fragments } from './level-log.ts'

/** Numbers of the live tables; undefined where the manifest cannot be read, as LevelDB itself will say. Format: LevelDB, db/version_edit.cc. */
export const liveTables = async (folder: string): Promise<ReadonlySet<number> | undefined> => {
  try {
    const name = (await readFile(join(folder, 'CURRENT'), 'latin1')).trim()
    const live = new Set<number>()
    for (const edit of records(await readFile(join(folder, name)))) apply(edit, live)
    return live
  } catch {
    return undefined
  }
}

/** Records, put together from their pieces. */
function* records(log: Buffer): Generator<Buffer> {
  let parts: Buffer[] = []
  for (const { kind, data } of fragments(log)) {
    parts.push(data)
    if (kind === 1 || kind === 4) {
      yield Buffer.concat(parts)
      parts = []
    }
  }
}

/** One edit: tagged fields, of which only tables that came (7) and went (6) matter here. */
const apply = (edit: Buffer, live: Set<number>): void => {
  let at = 0
  const number = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = edit.readUInt8(at++)
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const skip = (): void => {
    const length = number()
    at += length
  }
  while (at < edit.length) {
    const tag = number()
    if (tag === 1) skip()
    else if (tag === 2 || tag === 3 || tag === 4 || tag === 9) number()
    else if (tag === 5) {
      number()
      skip()
    } else if (tag === 6) {
      number()
      live.delete(number())
    } else if (tag === 7) {
      number()
      live.add(number())
      number()
      skip()
      skip()
    } else throw new Error('unknown field')
  }
}
