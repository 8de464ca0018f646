/** Measures the bytes that an exchange with the practice mind writes to disk, in the built daemon. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { quiet } from './long-work.ts'
import { exchangeWith, startRunning } from './running-daemon.ts'

const exchanges = 200

export const exchange = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [100])
  const daemon = await startRunning(home)
  const { pid } = daemon
  await quiet(pid)
  const bytesBefore = await readWritten(pid)
  let answerCount = 0
  for (let n = 0; n < exchanges; n++) answerCount += Buffer.byteLength(await exchangeWith(daemon, n))
  const writtenAfter = await readWritten(pid)
  await daemon.close()
  await rm(home, { recursive: true, force: true })
  const kilobytes = (bytes: number) => bytes / exchanges / 1024
  const writtenBytes = kilobytes(writtenAfter.givenBytes - bytesBefore.givenBytes - answerCount)
  const diskBytes = kilobytes(writtenAfter.storedBytes - bytesBefore.storedBytes)
  return [
    {
      label: 'bytes written per exchange',
      value: writtenBytes,
      unit: 'KB',
      goal: '≤ 8 KB',
      isMet: writtenBytes <= 8,
    },
    {
      label: 'the same in whole disk pages',
      value: diskBytes,
      unit: 'KB',
      goal: 'none',
      isMet: true,
    },
  ]
}

/**
 * Returns the bytes that a process wrote to files, sockets and pipes, and the bytes of the pages that it
 * caused a disk to write.
 */
const readWritten = async (pid: number | undefined): Promise<{ givenBytes: number; storedBytes: number }> => {
  const io = await readFile(`/proc/${pid}/io`, 'utf8')
  const readField = (field: string) => Number(new RegExp(`^${field}: (\\d+)`, 'm').exec(io)?.[1])
  return { givenBytes: readField('wchar'), storedBytes: readField('write_bytes') }
}
