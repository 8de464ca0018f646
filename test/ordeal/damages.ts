/** Possible damages to one file of a home: one flipped bit, or truncation, emptying and removal. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chance } from '../random.ts'
import type { ExitKind } from './damaged-home.ts'

const effects = ['flip', 'cut', 'empty', 'remove', 'folder'] as const
export type DamageEffect = (typeof effects)[number]

export interface Damage {
  readonly n: number
  readonly exitKind: ExitKind
  /** Path within the home. */
  readonly file: string
  readonly kind: FileKind
  readonly effect: DamageEffect
  /** The byte that is hit, or the first byte that is removed; 0 if it does not matter. */
  readonly at: number
  readonly bit: number
  /** Who opens the home. */
  readonly target: 'journals' | 'personas' | 'daemon'
}

export type FileKind = (typeof kinds)[number][0]

/** How often each kind is chosen, and the files that belong to it. */
const kinds = [
  ['log', 25, /journal\/\d+\.log$/],
  ['table', 20, /journal\/\d+\.ldb$/],
  ['manifest', 14, /journal\/MANIFEST-/],
  ['current', 6, /journal\/CURRENT$/],
  ['note', 5, /journal\/(LOG|LOG\.old|LOCK)$/],
  ['catalog', 14, /^catalog\//],
  ['lock', 5, /^lock\//],
  ['secrets', 5, /secrets$/],
  ['minutes', 2, /minutes$/],
  ['media', 3, /media\//],
  ['holder', 3, /^daemon$/],
] as const

const weights = kinds.reduce((sum, [, weight]) => sum + weight, 0)

const kindOfFile = (file: string): FileKind | undefined =>
  kinds.find(([, , pattern]) => pattern.test(file))?.[0]

export interface SizedFile {
  readonly file: string
  readonly size: number
}

export const chooseDamage = (
  chance: Chance,
  n: number,
  files: Readonly<Record<ExitKind, readonly SizedFile[]>>,
): Damage => {
  const exitKind = chance.pick<ExitKind>(['in order', 'by a crash'])
  // The first damages are of each kind and effect once.
  const kind = kinds[n]?.[0] ?? chooseKind(chance)
  const candidates = files[exitKind].filter(({ file }) => kindOfFile(file) === kind)
  const [first, ...otherFiles] = candidates
  if (!first) return chooseDamage(chance, n, files)
  const { file, size } = chance.pick([first, ...otherFiles])
  const target = chance.pick(['journals', 'journals', 'personas', 'personas', 'daemon'] as const)
  const offset = size === 0 ? 0 : chance.pickBetween(0, size - 1)
  return {
    n,
    exitKind,
    file,
    kind,
    effect: (size > 0 && effects[n]) || chooseHow(chance, size),
    at: offset,
    bit: chance.pickBetween(0, 7),
    target,
  }
}

const chooseKind = (chance: Chance): FileKind => {
  let place = chance.next() * weights
  for (const [kind, weight] of kinds) {
    place -= weight
    if (place < 0) return kind
  }
  return 'log'
}

const chooseHow = (chance: Chance, size: number): DamageEffect => {
  const place = chance.next()
  if (place < 0.8 && size > 0) return 'flip'
  if (place < 0.88 && size > 0) return 'cut'
  return chance.pick(['empty', 'remove', 'remove', 'folder'])
}

/** Damages a file of a home. The file may be a link that other copies share, so it is replaced. */
export const inflict = async (home: string, { file, effect, at, bit }: Damage): Promise<void> => {
  const path = join(home, file)
  const bytes = await readFile(path)
  await rm(path)
  if (effect === 'remove') return
  if (effect === 'folder') {
    await mkdir(path)
    return
  }
  if (effect === 'flip') bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
  await writeFile(path, effect === 'empty' ? '' : effect === 'cut' ? bytes.subarray(0, at) : bytes, {
    mode: 0o600,
  })
}

export const describeDamage = ({ n, exitKind, file, effect, at, bit, target }: Damage): string =>
  `${n}: ${file} of a home left ${exitKind}, ${effect} at ${at}.${bit}, opened by ${target}`
