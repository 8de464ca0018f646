/** The log of signed heads: its formats, its files, and the comparison of a journal with witnesses. */
import { execFile } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import { appendFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { headPlaces, headsFolder, personaFolder } from '../../home/places.ts'
import { createHeadLogs, HeadLogDamaged, type HeadLogs } from '../../journal/heads/head-log.ts'
import {
  countStored,
  hashesOfLeaf,
  isExtension,
  isIncluded,
  proveConsistency,
  proveInclusion,
  readFrom,
  rootOf,
} from '../../journal/heads/merkle-hashes.ts'
import {
  openCheckpoint,
  parseVerifierKey,
  publicBytes,
  signCheckpoint,
} from '../../journal/heads/signed-note.ts'
import {
  type CheckedJournal,
  compareWithLog,
  compareWithWitness,
  formatLeaf,
  openWitness,
  parseLeaf,
  WitnessInvalid,
} from '../../journal/heads/witness.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'
import { inHome } from './engines.ts'

// Merkle tree.

const store = (leaves: readonly Buffer[]): Buffer => {
  let treeHashes = Buffer.alloc(0)
  leaves.forEach((leaf, index) => {
    treeHashes = Buffer.concat([treeHashes, ...hashesOfLeaf(leaf, index, readFrom(treeHashes))])
  })
  return treeHashes
}

/** Leaves and roots of the test vectors of Certificate Transparency (RFC 6962). */
const vectorLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const vectorRoots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('calculates the roots of the published test vectors', () => {
  const leaves = vectorLeaves.map((leaf) => Buffer.from(leaf, 'hex'))
  const treeHashes = store(leaves)
  assert.equal(
    vectorRoots.map((_, n) => rootOf(readFrom(treeHashes), n + 1).toString('hex')),
    vectorRoots,
  )
  assert.is(
    rootOf(readFrom(treeHashes), 0).toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
})

test('proves every leaf and every older size, and nothing else', () => {
  const max = 20
  const leaves = Array.from({ length: max }, (_, n) => Buffer.from(`leaf ${n}`))
  const treeHashes = store(leaves)
  const readHash = readFrom(treeHashes)
  assert.is(treeHashes.length / 32, countStored(max))
  const treeOf = (size: number) => ({ size, root: rootOf(readHash, size) })
  for (let size = 1; size <= max; size++) {
    for (const [index, leaf] of leaves.slice(0, size).entries()) {
      const proof = proveInclusion(readHash, index, size)
      assert.ok(isIncluded(leaf, index, treeOf(size), proof))
      assert.not.ok(isIncluded(Buffer.from('other'), index, treeOf(size), proof))
      assert.not.ok(isIncluded(leaf, size, treeOf(size), proof))
      assert.not.ok(isIncluded(leaf, index, treeOf(size), [...proof, leaf.subarray(0, 32)]))
      if (proof.length > 0) assert.not.ok(isIncluded(leaf, index, treeOf(size), proof.slice(1)))
    }
    for (let older = 1; older <= size; older++) {
      const proof = proveConsistency(readHash, older, size)
      assert.ok(isExtension(treeOf(older), treeOf(size), proof), `${older} of ${size}`)
      const other = { size: older, root: Buffer.alloc(32) }
      assert.not.ok(isExtension(other, treeOf(size), proof))
    }
  }
})

// Notes.

test('opens the example of the specification of signed notes, and no altered one', async () => {
  // c2sp.org/signed-note, "Example": its text is no checkpoint, so that only the key can be read.
  const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k')
  assert.is(key?.name, 'example.com/foo')
  assert.is(
    parseVerifierKey('example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'),
    undefined,
  )
  assert.is(parseVerifierKey('example.com/foo'), undefined)
  // A published checkpoint of the Go checksum database, whose key has another name than its origin.
  const sumKey = parseVerifierKey('sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8')
  const note = `go.sum database tree
63096908
8lHrQPRYe4KT4WQ9/Qk8/taKnD6IRHbFgfN7vQE2Y54=

— sum.golang.org Az3gri/oVBN1jAhNZ/iS+W31psFAWRT20/GyrhpU6taFwulQGetBkH5S7wpGXdS935jiIGiUUAXBVHzT/P6fYhqAmAk=
`
  assert.ok(sumKey)
  assert.is((await openCheckpoint(note, sumKey))?.size, 63096908)
  assert.is(await openCheckpoint(note.replace('63096908', '63096909'), sumKey), undefined)
  // Signatures of others are ignored.
  assert.ok(await openCheckpoint(`${note}— witness.example AAAAAAAA\n`, sumKey))
})

test('OpenSSL verifies the signature of a checkpoint', () =>
  inHome(async (home) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const note = await signCheckpoint(
      { origin: 'example.com/log', size: 3, root: Buffer.alloc(32, 7) },
      privateKey,
    )
    const [text = '', line = ''] = note.split('\n\n')
    assert.is(text, `example.com/log\n3\n${Buffer.alloc(32, 7).toString('base64')}`)
    const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4)
    const files = { text: `${text}\n`, signature, key: publicKey.export({ format: 'pem', type: 'spki' }) }
    for (const [name, content] of Object.entries(files)) await writeFile(join(home, name), content)
    const { stdout } = await promisify(execFile)(
      'openssl',
      ['pkeyutl', '-verify', '-pubin', '-inkey', 'key', '-rawin', '-in', 'text', '-sigfile', 'signature'],
      { cwd: home },
    )
    assert.match(stdout, 'Verified Successfully')
  }))

// Files.

const hashOf = (text: string): string => Buffer.from(text.padEnd(32, '.')).toString('hex')
const at = (seq: number, text = `head ${seq}`) => ({ seq, hash: hashOf(text) })

const inLogs = (work: (logs: HeadLogs, folder: string, home: string) => Promise<void>) => () =>
  inHome(async (home) => {
    await makeFolder(personaFolder(home, 'ada'))
    let now = Date.UTC(2026, 4, 2, 3)
    await work(
      createHeadLogs(headPlaces(home), () => (now += 1000)),
      headsFolder(home, 'ada'),
      home,
    )
  })

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    assert.instance(error, HeadLogDamaged)
    return (error as Error).message
  }
  throw new Error('not refused')
}

test(
  'signs a head once, and opens its witness',
  inLogs(async (logs, _folder, home) => {
    const first = await logs.sign('ada', at(5))
    assert.equal([first.isNew, first.head.index, first.head.seq, first.hasNewKey], [true, 0, 5, false])
    const again = await logs.sign('ada', at(5))
    assert.equal([again.isNew, again.witness], [false, first.witness])
    for (const seq of [6, 9, 12]) assert.ok((await logs.sign('ada', at(seq))).isNew)
    const { witness } = await logs.sign('ada', at(12))
    const openedWitness = await openWitness(witness)
    assert.equal([openedWitness.head.seq, openedWitness.checkpoint.size], [12, 4])
    assert.is((await stat(headPlaces(home).keyFile)).mode & 0o777, 0o600)
    const view = await logs.view('ada', { last: 2, since: 1 })
    assert.equal(
      view?.heads.map(({ index, seq }) => [index, seq]),
      [
        [2, 9],
        [3, 12],
      ],
    )
    for (const head of view?.heads ?? [])
      assert.ok(isIncluded(Buffer.from(formatLeaf(head)), head.index, openedWitness.checkpoint, head.proof))
    assert.ok(
      isExtension(
        (await openWitness(first.witness)).checkpoint,
        openedWitness.checkpoint,
        view?.consistency ?? [],
      ),
    )
    assert.is(await logs.view('bob', { last: 1 }), null)
  }),
)

test(
  'keeps the private key out of all other files',
  inLogs(async (logs, folder, home) => {
    const { witness } = await logs.sign('ada', at(5))
    const pem = await readFile(headPlaces(home).keyFile, 'utf8')
    const secret = pem.split('\n')[1] ?? ''
    assert.ok(secret.length > 40)
    for (const name of ['leaves', 'hashes', 'checkpoint', 'keys'])
      assert.not.match(await readFile(join(folder, name), 'latin1'), secret)
    assert.not.match(witness, secret)
    const view = await logs.view('ada', { last: 9 })
    assert.not.match(JSON.stringify(view), secret)
    const key = parseVerifierKey(view?.keys[0]?.key ?? '')?.key.export({ format: 'der', type: 'spki' })
    assert.ok(key?.subarray(-32).equals(publicBytes(createPrivateKey(pem))))
  }),
)

test(
  'continues after a crash at each step of a signature',
  inLogs(async (logs, folder) => {
    await logs.sign('ada', at(1))
    await logs.sign('ada', at(2))
    const before = await readFile(join(folder, 'checkpoint'))
    await logs.sign('ada', at(3))
    // After the leaf, before the checkpoint.
    await writeFile(join(folder, 'checkpoint'), before)
    assert.equal([(await logs.sign('ada', at(3))).isNew, (await logs.check('ada'))?.size], [false, 3])
    await writeFile(join(folder, 'checkpoint'), before)
    assert.equal([(await logs.sign('ada', at(4))).isNew, (await logs.check('ada'))?.size], [true, 4])
    // Within the leaf.
    await appendFile(join(folder, 'leaves'), '00000000')
    await logs.sign('ada', at(5))
    // Before the hashes, and within them.
    await truncate(join(folder, 'hashes'), 40)
    await logs.sign('ada', at(6))
    await rm(join(folder, 'hashes'))
    await logs.sign('ada', at(7))
    await appendFile(join(folder, 'hashes'), 'xyz')
    await logs.sign('ada', at(8))
    assert.equal(
      (await logs.check('ada'))?.heads.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
    // The first leaf without a checkpoint.
    await truncate(join(folder, 'leaves'), 107)
    // It was never shown, so it is replaced, however often this happens.
    for (const seq of [9, 10]) {
      await rm(join(folder, 'checkpoint'))
      await rm(join(folder, 'hashes'))
      await logs.sign('ada', at(seq))
      assert.equal(
        (await logs.check('ada'))?.heads.map((head) => head.seq),
        [seq],
      )
    }
  }),
)

test(
  'never signs a log that was rolled back, altered or cut',
  inLogs(async (logs, folder) => {
    for (const seq of [1, 2, 3]) await logs.sign('ada', at(seq))
    const leaves = await readFile(join(folder, 'leaves'))
    const checkpoint = await readFile(join(folder, 'checkpoint'))
    await truncate(join(folder, 'leaves'), 107)
    assert.match(await refusal(logs.sign('ada', at(4))), 'rolled back: 3 heads were signed, and 1 are left')
    await writeFile(join(folder, 'leaves'), leaves.toString().replace(hashOf('head 2'), hashOf('other')))
    await rm(join(folder, 'hashes'))
    assert.match(await refusal(logs.sign('ada', at(4))), 'its heads do not match its checkpoint')
    assert.match(await refusal(logs.check('ada')), 'its heads do not match its checkpoint')
    await writeFile(join(folder, 'leaves'), leaves)
    await rm(join(folder, 'checkpoint'))
    assert.match(await refusal(logs.sign('ada', at(4))), 'The checkpoint of 3 signed heads is missing')
    await writeFile(join(folder, 'checkpoint'), checkpoint.toString().replace('\n3\n', '\n2\n'))
    assert.ok(await refusal(logs.check('ada')))
    await writeFile(join(folder, 'checkpoint'), 'x')
    assert.match(await refusal(logs.sign('ada', at(4))), 'The checkpoint of the signed heads is damaged')
    // Nothing was written.
    assert.equal(await readFile(join(folder, 'leaves')), leaves)
    await writeFile(join(folder, 'checkpoint'), checkpoint)
    assert.ok((await logs.sign('ada', at(4))).isNew)
  }),
)

test('lists a new key beside the old ones, and keeps a key that cannot be read', () =>
  inHome(async (home) => {
    await makeFolder(personaFolder(home, 'ada'))
    const now = () => Date.UTC(2026, 4, 2)
    const old = await createHeadLogs(headPlaces(home), now).sign('ada', at(1))
    const pem = await readFile(headPlaces(home).keyFile)
    await writeFile(headPlaces(home).keyFile, 'no key')
    assert.match(await refusal(createHeadLogs(headPlaces(home), now).sign('ada', at(2))), 'cannot be read')
    assert.is(await readFile(headPlaces(home).keyFile, 'utf8'), 'no key')
    await rm(headPlaces(home).keyFile)
    const logs = createHeadLogs(headPlaces(home), now)
    assert.ok((await logs.sign('ada', at(2))).hasNewKey)
    assert.not.equal(await readFile(headPlaces(home).keyFile), pem)
    const log = await logs.check('ada')
    assert.is(log?.keys.length, 2)
    const { key, checkpoint } = await openWitness(old.witness)
    assert.is(log?.keys[0], key)
    assert.ok(await log?.extendsCheckpoint(checkpoint))
    // An old key without a signature for its checkpoint.
    const keysFile = join(headsFolder(home, 'ada'), 'keys')
    await writeFile(
      keysFile,
      (await readFile(keysFile, 'utf8')).replace('"before":"daimon.internal', '"before":"other.internal'),
    )
    assert.match(await refusal(logs.check('ada')), 'no valid signature')
  }))

test(
  'signs under a clock that jumps back, and at the same time for two personas',
  inLogs(async (_logs, _folder, home) => {
    await makeFolder(personaFolder(home, 'bob'))
    const times = [Date.UTC(2026, 4, 2), Date.UTC(1999, 0, 1), Date.UTC(2026, 4, 3)]
    const logs = createHeadLogs(headPlaces(home), () => times.shift() ?? 0)
    for (const seq of [1, 2, 3]) await logs.sign('ada', at(seq))
    assert.equal(
      (await logs.check('ada'))?.heads.map(({ time }) => time.slice(0, 4)),
      ['2026', '1999', '2026'],
    )
    const results = await Promise.all(['ada', 'bob', 'ada', 'bob'].map((id, n) => logs.sign(id, at(10 + n))))
    assert.ok(results.every(({ isNew }) => isNew))
    const [ada, bob] = [await logs.check('ada'), await logs.check('bob')]
    assert.equal([ada?.size, bob?.size], [5, 2])
    assert.is.not(ada?.origin, bob?.origin)
    // One key for both.
    const toKey = (key = '') => key.split('+').at(-1)
    assert.is(toKey(ada?.keys[0]), toKey(bob?.keys[0]))
  }),
)

test(
  'reports a disk that refuses to write, and continues later',
  inLogs(async (logs, folder) => {
    await logs.sign('ada', at(1))
    const leaves = await readFile(join(folder, 'leaves'))
    await rm(join(folder, 'leaves'))
    await makeFolder(join(folder, 'leaves'))
    let code = ''
    await logs.sign('ada', at(2)).catch((error) => {
      code = error.code
    })
    assert.is(code, 'unavailable')
    await rm(join(folder, 'leaves'), { recursive: true })
    await writeFile(join(folder, 'leaves'), leaves)
    assert.ok((await logs.sign('ada', at(2))).isNew)
  }),
)

test(
  'takes the log of a diary, but not instead of a longer one',
  inLogs(async (logs, _folder, home) => {
    for (const seq of [1, 2]) await logs.sign('ada', at(seq))
    const storedLog = await logs.store('ada')
    assert.ok(storedLog)
    await logs.sign('ada', at(3))
    await logs.adopt('ada', storedLog)
    assert.is((await logs.check('ada'))?.size, 3)
    await makeFolder(personaFolder(home, 'eva'))
    await logs.adopt('eva', storedLog)
    await logs.sign('eva', at(4))
    assert.equal(
      (await logs.check('eva'))?.heads.map(({ seq }) => seq),
      [1, 2, 4],
    )
    assert.ok(
      await refusal(
        logs.adopt('eva', {
          ...storedLog,
          leaves: storedLog.leaves.replace(hashOf('head 2'), hashOf('forged')),
        }),
      ),
    )
    assert.ok(await refusal(logs.adopt('eva', { ...storedLog, leaves: storedLog.leaves.slice(5) })))
    assert.ok(await refusal(logs.adopt('eva', { ...storedLog, checkpoint: 'x' })))
  }),
)

test(
  'keeps a log beside the log of a diary that does not continue it',
  inLogs(async (logs, folder, home) => {
    await logs.sign('ada', at(1))
    const early = await logs.store('ada')
    await logs.sign('ada', at(2))
    const longerLog = await logs.store('ada')
    assert.ok(early && longerLog)
    await makeFolder(personaFolder(home, 'eva'))
    assert.is(await logs.adopt('eva', early), null)
    // The diary continues this one, so that nothing is lost.
    assert.is(await logs.adopt('eva', longerLog), null)
    assert.equal(await readdir(personaFolder(home, 'eva')), ['heads'])

    await rm(folder, { recursive: true })
    for (const seq of [1, 5]) await logs.sign('ada', at(seq))
    const own = await readFile(join(folder, 'leaves'))
    const keptName = await logs.adopt('ada', longerLog)
    assert.match(keptName ?? '', /^heads\.parted-\d{8}T\d{9}Z$/)
    assert.equal(await readFile(join(personaFolder(home, 'ada'), keptName ?? '', 'leaves')), own)
    assert.is((await logs.check('ada'))?.size, 2)
  }),
)

/** Fails this call to the file system and all later ones, as if the process had ended. */
const crashAt = async (call: number, work: () => Promise<unknown>): Promise<boolean> => {
  let calls = 0
  let isCrashed = false
  const names = ['mkdir', 'open', 'rename', 'rm'] as const
  const originals = names.map((name) => [name, fs.promises[name]] as const)
  for (const [name, original] of originals)
    Object.assign(fs.promises, {
      [name]: (...args: never[]) => {
        calls++
        isCrashed ||= calls === call
        return isCrashed
          ? Promise.reject(Object.assign(new Error('crashed'), { code: 'EIO', syscall: name }))
          : (original as (...given: never[]) => Promise<unknown>)(...args)
      },
    })
  syncBuiltinESMExports()
  try {
    await work().catch((error: unknown) => assert.ok(isCrashed, String(error)))
  } finally {
    Object.assign(fs.promises, Object.fromEntries(originals))
    syncBuiltinESMExports()
  }
  return isCrashed
}

test(
  'loses no log when a crash interrupts the takeover of the log of a diary',
  inLogs(async (logs, folder, home) => {
    for (const seq of [1, 2]) await logs.sign('ada', at(seq))
    const diaryLog = await logs.store('ada')
    assert.ok(diaryLog)
    await rm(folder, { recursive: true })
    for (const seq of [1, 5, 6]) await logs.sign('ada', at(seq))
    const own = await readFile(join(folder, 'leaves'), 'latin1')
    let crashes = 0
    for (; await crashAt(crashes + 1, () => logs.adopt('ada', diaryLog)); crashes++) {
      const size = (await logs.check('ada'))?.size
      const parent = personaFolder(home, 'ada')
      const folders = (await readdir(parent)).filter((name) => !name.endsWith('.draft'))
      const logsOnDisk = await Promise.all(
        folders.map((name) => readFile(join(parent, name, 'leaves'), 'latin1')),
      )
      assert.ok(logsOnDisk.includes(own), `lost by a crash at call ${crashes + 1}`)
      assert.ok(size === 3 || size === 2, `no log after a crash at call ${crashes + 1}`)
      assert.is(logsOnDisk.length, size === 3 ? 1 : 2)
      if (size === 3) continue
      // Puts the former one back for the next crash.
      await rm(folder, { recursive: true })
      await rename(join(parent, folders.find((name) => name !== 'heads') ?? ''), folder)
    }
    assert.ok(crashes > 8)
    assert.is((await logs.check('ada'))?.size, 2)
  }),
)

// Comparisons.

const journalOf = (hashes: readonly string[], firstBad: number | null = null): CheckedJournal => ({
  head: { seq: hashes.length, hash: hashes.at(-1) ?? '' },
  firstBad,
  hashAt: async (seq) => hashes[seq - 1],
})
const whole = Array.from({ length: 20 }, (_, n) => hashOf(`head ${n + 1}`))

test(
  'says up to where nothing was changed, and where history differs',
  inLogs(async (logs) => {
    const { witness: early } = await logs.sign('ada', at(4))
    const { witness: text } = await logs.sign('ada', at(12))
    await logs.sign('ada', at(15))
    const log = await logs.check('ada')
    assert.ok(log)
    const witness = await openWitness(text)
    const unchangedFinding = await compareWithWitness(journalOf(whole), witness, log)
    assert.equal(unchangedFinding.lines, [
      'Nothing up to position 12 (2 May 2026) was changed since the witness was made.',
      'The log of heads still has the 2 heads of the witness.',
    ])
    assert.ok(unchangedFinding.holds)
    assert.ok((await compareWithLog(journalOf(whole), log)).holds)

    const rewritten = whole.map((hash, n) => (n < 7 ? hash : hashOf(`rewritten ${n}`)))
    const changed = await compareWithWitness(journalOf(rewritten), witness, log)
    assert.not(changed.holds)
    assert.match(changed.lines[0] ?? '', 'differs from the head that was signed at position 12 (2 May 2026)')
    assert.match(changed.lines[0] ?? '', 'Nothing up to position 4 (2 May 2026) was changed.')
    assert.not((await compareWithLog(journalOf(rewritten), log)).holds)
    // Before the change.
    assert.ok((await compareWithWitness(journalOf(rewritten), await openWitness(early), null)).holds)

    const cut = await compareWithWitness(journalOf(whole.slice(0, 9)), witness, null)
    assert.not(cut.holds)
    assert.match(cut.lines[0] ?? '', 'Facts were removed: the journal ends at position 9')
    const damaged = await compareWithWitness(journalOf(whole, 8), witness, null)
    assert.not(damaged.holds)
    assert.match(damaged.lines[0] ?? '', 'damaged from position 8 on')
  }),
)

test('detects a log that was rolled back or rewritten with the right key', () =>
  inHome(async (home) => {
    await makeFolder(personaFolder(home, 'ada'))
    const logs = createHeadLogs(headPlaces(home), () => Date.UTC(2026, 4, 2))
    await logs.sign('ada', at(1))
    const early = await logs.store('ada')
    for (const seq of [4, 8]) await logs.sign('ada', at(seq))
    const witness = await openWitness((await logs.sign('ada', at(12))).witness)
    assert.ok(early)
    // Someone who has the key puts back an old log, and signs again.
    await rm(headsFolder(home, 'ada'), { recursive: true })
    await logs.adopt('ada', early)
    const rolledBack = await compareWithWitness(journalOf(whole), witness, await logs.check('ada'))
    assert.not(rolledBack.holds)
    assert.match(rolledBack.lines[1] ?? '', 'rolled back: it has 1 heads, and the witness saw 4')
    for (const seq of [5, 6, 7, 13]) await logs.sign('ada', at(seq))
    const rewritten = await compareWithWitness(journalOf(whole), witness, await logs.check('ada'))
    assert.not(rewritten.holds)
    assert.match(rewritten.lines[1] ?? '', 'The log of heads was rewritten')
    // A new log of the same persona.
    await rm(headsFolder(home, 'ada'), { recursive: true })
    await logs.sign('ada', at(12))
    const lost = await compareWithWitness(journalOf(whole), witness, await logs.check('ada'))
    assert.match(lost.lines[1] ?? '', 'is not the log of the witness')
  }))

test(
  'refuses a witness that was altered in any character',
  inLogs(async (logs) => {
    for (const seq of [1, 2, 3, 4, 5]) await logs.sign('ada', at(seq))
    const { witness } = await logs.sign('ada', at(5))
    await openWitness(witness)
    await openWitness(witness.replaceAll('\n', '\r\n'))
    const isRefused = async (text: string) =>
      openWitness(text).then(
        () => false,
        (error) => error instanceof WitnessInvalid,
      )
    let acceptedCount = 0
    for (let place = 0; place < witness.length; place++) {
      const character = witness[place] === 'A' ? 'B' : 'A'
      if (!(await isRefused(witness.slice(0, place) + character + witness.slice(place + 1)))) acceptedCount++
    }
    // The last character of base64 can have bits without meaning.
    assert.ok(acceptedCount <= 4, String(acceptedCount))
    for (const text of ['', '\n\n', 'x'.repeat(200_000), witness.slice(0, 100), witness.slice(0, -20)])
      assert.ok(await isRefused(text))
    assert.is(parseLeaf('x'), undefined)
    const key = parseVerifierKey((await openWitness(witness)).key)
    assert.ok(key)
    assert.is(await openCheckpoint('a\n1\nb\n\n— a b\n', key), undefined)
  }),
)

test.run()
