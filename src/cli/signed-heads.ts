/**
 * `daimon witness`, and `daimon verify --signed`: compares a journal, or a copy of one, with signed heads. A
 * copied journal and a diary need no daemon and no home.
 */
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { headPlaces, headsFolder, journalFolder, personaFolder } from '../../home/places.ts'
import { checkStored, createHeadLogs, HeadLogDamaged } from '../../journal/heads/head-log.ts'
import { isExtension, isIncluded } from '../../journal/heads/merkle-hashes.ts'
import { openCheckpoint, parseVerifierKey } from '../../journal/heads/signed-note.ts'
import {
  type CheckedJournal,
  type CheckedLog,
  compareWithLog,
  compareWithWitness,
  type Finding,
  formatLeaf,
  openWitness,
  type SignedHead,
  type Witness,
  WitnessInvalid,
} from '../../journal/heads/witness.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'
import { readConfig } from '../config.ts'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { actOffline } from './offline.ts'
import { printJson, printLine } from './printing.ts'

export const addWitnessCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('witness')
    .description(
      'Sign the head of a journal and print a witness file. Give it to someone else: `verify --signed` compares the journal with it.',
    )
    .argument('<persona>', 'name or id')
    .action(async (nameOrId: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, nameOrId), 'heads')
      const answer = await client.send<{ readonly witness: string }>('POST', path)
      if (isJson(command)) return printJson(answer)
      process.stdout.write(answer.witness)
    })
}

interface SignedOptions {
  /** A persona, or the path of a copied journal or a diary. A path contains a slash or a dot. */
  readonly target: string | undefined
  /** Path of a witness file; null to compare with the log of signed heads only. */
  readonly witnessFile: string | null
  readonly isJson: boolean
}

/** Exits with 1 if history differs. */
export const verifySigned = async ({ target, witnessFile, isJson }: SignedOptions): Promise<void> => {
  if (target === undefined)
    throw new CommandFailed('--signed needs a persona, a copied journal or a diary', exitCodes.usage)
  const witness = witnessFile === null ? null : await readWitness(witnessFile)
  const report = async (compared: Promise<Finding>): Promise<boolean> => {
    const { holds, lines } = await compared.catch(toFinding)
    if (isJson) printJson({ holds, lines })
    else for (const line of lines) printLine(line)
    return holds
  }
  const compare = (journal: CheckedJournal, log: CheckedLog | null): Promise<Finding> => {
    if (witness) return compareWithWitness(journal, witness, log)
    return log ? compareWithLog(journal, log) : Promise.resolve(unsigned)
  }
  if (/[\\/.]/.test(target)) {
    const path = resolve(target)
    const stats = await stat(path).catch(() => null)
    if (!stats) throw new CommandFailed(`there is no ${target}`, exitCodes.usage)
    const compared = stats.isDirectory() ? inCopy(path, compare) : inDiary(path, compare)
    if (!(await report(compared))) process.exitCode = exitCodes.refused
    return
  }
  await actOffline({
    ask: (client) => report(askDaemon(client, target, witness, compare)),
    act: async (personas) => {
      const { head, firstBad } = await personas.verify(target)
      const compared = personas.read(target, async ({ journal }) =>
        compare(
          { head, firstBad, hashAt: journal.hashAt },
          await createHeadLogs(headPlaces(readConfig(process.env).home), Date.now).check(target),
        ),
      )
      return report(compared)
    },
  })
}

const unsigned: Finding = { holds: false, lines: ['No head was signed yet, and no witness file was given.'] }

/** A log that contradicts itself is a finding, not a failure of the command. */
const toFinding = (error: unknown): Finding => {
  if (error instanceof HeadLogDamaged) return { holds: false, lines: [error.message] }
  throw error
}

const readWitness = async (path: string): Promise<Witness> => {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandFailed(`${path} cannot be read`, exitCodes.usage)
  })
  try {
    return await openWitness(text)
  } catch (error) {
    throw error instanceof WitnessInvalid ? new CommandFailed(error.message, exitCodes.refused) : error
  }
}

type Compare = (journal: CheckedJournal, log: CheckedLog | null) => Promise<Finding>

// A copy of a journal. Opening changes files, so it is copied again.

const inCopy = (folder: string, compare: Compare): Promise<Finding> =>
  withHome(async (home) => {
    await cp(folder, journalFolder(home, copyId), { recursive: true })
    const heads = join(dirname(folder), 'heads')
    if (await stat(heads).catch(() => null)) await cp(heads, headsFolder(home, copyId), { recursive: true })
    const log = await createHeadLogs(headPlaces(home), Date.now).check(copyId)
    return withJournal(home, (journal) => compare(journal, log))
  })

const inDiary = async (path: string, compare: Compare): Promise<Finding> => {
  const [{ openDiary }, { deriveIdentity, readPhrase: parsePhrase }, { readPhrase }] = await Promise.all([
    import('../diary/diary.ts'),
    import('../persona/phrase.ts'),
    import('./recovery-words.ts'),
  ])
  const phrase = await parsePhrase(await readPhrase())
  if (phrase.fault) throw new CommandFailed('these are not the 24 words of a diary', exitCodes.usage)
  const identity = await deriveIdentity(phrase.entropy)
  return withHome(async (home) => {
    const diary = await openDiary(path, identity, home).catch((error: unknown) => {
      throw new CommandFailed(
        `the diary cannot be opened: ${error instanceof Error ? error.message : error}`,
        exitCodes.refused,
      )
    })
    await cp(join(diary.folder, 'journal'), journalFolder(home, copyId), { recursive: true })
    const { heads } = diary.manifest
    const log = heads ? await checkStored(heads) : null
    return withJournal(home, (journal) => compare(journal, log))
  })
}

const copyId = 'copy'

const withHome = async <T>(work: (home: string) => Promise<T>): Promise<T> => {
  const home = await mkdtemp(join(tmpdir(), 'daimon-signed-'))
  try {
    await makeFolder(personaFolder(home, copyId))
    return await work(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const withJournal = async <T>(home: string, work: (journal: CheckedJournal) => Promise<T>): Promise<T> => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal: Journal = await journals.open(copyId, 'reader')
  try {
    const { head, firstBad } = await journal.verify()
    return await work({ head, firstBad, hashAt: journal.hashAt })
  } finally {
    await journal.close()
  }
}

// A running daemon. Its proofs are checked here.

interface HeadsAnswer {
  readonly origin: string
  readonly size: number
  readonly checkpoint: string
  readonly keys: readonly { readonly key: string }[]
  readonly heads: readonly (SignedHead & { readonly index: number; readonly proof: readonly string[] })[]
  readonly consistency: readonly string[]
}

const askDaemon = async (
  client: DaemonClient,
  nameOrId: string,
  witness: Witness | null,
  compare: Compare,
): Promise<Finding> => {
  const persona = await findPersona(client, nameOrId)
  const verdict = await client.send<{ events: number; head: string; first_bad: number | null }>(
    'POST',
    personaPath(persona, 'verify'),
  )
  const sinceQuery = witness ? `&since=${witness.checkpoint.size}` : ''
  const answer = await client.get<HeadsAnswer | null>(personaPath(persona, `heads?last=1000${sinceQuery}`))
  const hashAt = async (seq: number): Promise<string | undefined> => {
    for await (const line of client.lines(personaPath(persona, `journal?after=${seq - 1}&upto=${seq}`))) {
      const { hash } = JSON.parse(line) as { readonly hash?: string }
      return hash
    }
    return undefined
  }
  const journal = {
    head: { seq: verdict.events, hash: verdict.head },
    firstBad: verdict.first_bad,
    hashAt,
  }
  return compare(journal, answer && (await checkAnswer(answer)))
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

/** Throws HeadLogDamaged if a signature or a proof is not valid. */
const checkAnswer = async (answer: HeadsAnswer): Promise<CheckedLog> => {
  const key = parseVerifierKey(answer.keys.at(-1)?.key ?? '')
  const checkpoint = key && (await openCheckpoint(answer.checkpoint, key))
  if (!checkpoint) throw new HeadLogDamaged('The checkpoint of the signed heads has no valid signature.')
  for (const head of answer.heads)
    if (!isIncluded(Buffer.from(formatLeaf(head)), head.index, checkpoint, head.proof.map(fromBase64)))
      throw new HeadLogDamaged(`The proof of the signed head ${head.index} is not valid.`)
  return {
    origin: checkpoint.origin,
    size: checkpoint.size,
    keys: answer.keys.map((line) => line.key),
    heads: answer.heads,
    extendsCheckpoint: async (olderCheckpoint) =>
      isExtension(olderCheckpoint, checkpoint, answer.consistency.map(fromBase64)),
  }
}
