/** Measures the bytes that an exchange with the practice mind writes to disk, in the built daemon. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { quiet } from './long-work.ts'
import { exchangeWith, startRunning } from './running.ts'

const exchanges = 200

export const exchange = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [100])
  const daemon = await startRunning(home)
  const { pid } = daemon
  await quiet(pid)
  const before = await written(pid)
  let answerCount = 0
  for (let n = 0; n < exchanges; n++) answerCount += Buffer.byteLength(await exchangeWith(daemon, n))
  const after = await written(pid)
  await daemon.close()
  await rm(home, { recursive: true, force: true })
  const kilobytes = (bytes: number) => bytes / exchanges / 1024
  const writtenBytes = kilobytes(after.given - before.given - answerCount)
  const diskBytes = kilobytes(after.stored - before.stored)
  return [
    {
      label: 'bytes written per exchange',
      value: writtenBytes,
      unit: 'KB',
      goal: '≤ 8 KB',
      met: writtenBytes <= 8,
    },
    {
      label: 'the same in whole disk pages',
      value: diskBytes,
      unit: 'KB',
      goal: 'none',
      met: true,
    },
  ]
}

/**
 * Returns the bytes that a process wrote to files, sockets and pipes, and the bytes of the pages that it
 * caused a disk to write.
 */
const written = async (pid: number | undefined): Promise<{ given: number; stored: number }> => {
  const io = await readFile(`/proc/${pid}/io`, 'utf8')
  const readField = (field: string) => Number(new RegExp(`^${field}: (\\d+)`, 'm').exec(io)?.[1])
  return { given: readField('wchar'), stored: readField('write_bytes') }
}
