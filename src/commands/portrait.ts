/** Chooses, removes, reads and draws the portrait of a persona. */
import { readFile } from 'node:fs/promises'
import type { PersonaId, PortraitSource, StoredMedia } from '../../facts/fact-values.ts'
import type { Staged } from '../../home/media.ts'
import { isSizedType, readPictureSize, type SizedType } from '../../packages/documents/picture-size.ts'
import { fillPlaceholders } from '../../packages/history-import/card-placeholders.ts'
import { detectMagic } from '../../packages/kit/files/magic.ts'
import { forAPerson } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import type { Self } from '../../projections/self.ts'
import { reach } from '../agents/organ-reach.ts'
import type { MadeFile } from '../mind/organ-calls.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, throwIfDisconnected } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'personas'>

/** In bytes. */
export const maxPortraitBytes = 5 * 1024 * 1024
/** In pixels: a small file can otherwise fill the memory of a browser. */
const maxSide = 8192
const maxPixels = 40_000_000

/**
 * Stores the file before the fact that names it. The same bytes change nothing. Throws Refused:
 * persona_unknown, portrait_invalid.
 */
export const choosePortrait = (
  { inTurn, personas }: Deps,
  id: PersonaId,
  { staged, source }: { readonly staged: Staged; readonly source: PortraitSource },
): Promise<Self> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    const mime = await checkPicture(await readFile(staged.path))
    const extension = extensions[mime]
    const storedFile = await personas.keepMedia(id, staged, extension)
    const media = { ...storedFile, name: '', mime, caption: '', voice: false }
    let hasChanged = false
    try {
      const { entries, persona } = await personas.execute(
        id,
        { type: 'ChoosePortrait', media, source },
        'person',
      )
      hasChanged = entries.length > 0
      return persona.self
    } finally {
      if (!hasChanged) await personas.dropMedia(id, storedFile.filename)
    }
  })

/** Throws Refused: persona_unknown. */
export const removePortrait = ({ inTurn, personas }: Deps, id: PersonaId): Promise<void> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    await personas.execute(id, { type: 'RemovePortrait' }, 'person')
  })

/** Throws Refused: persona_unknown, portrait_unknown. */
export const getPortrait = ({ personas }: Pick<Deps, 'personas'>, id: PersonaId): StoredMedia => {
  const { portrait } = requireListed(personas, id).self
  if (!portrait) throw new Refused({ code: 'portrait_unknown' })
  return portrait
}

type DrawDeps = Pick<CommandDeps, 'clock' | 'models' | 'personas'> & {
  readonly prices: Pick<Prices, 'getPrice'>
}

/**
 * Draws a portrait as a proposal: stores only its cost. `wish`: words of the user, which may be empty. Throws
 * Refused (persona_unknown, imagination_missing, portrait_invalid, cut_short) or ModelError.
 */
export const drawPortrait = async (
  { clock, models, personas, prices }: DrawDeps,
  id: PersonaId,
  wish: string,
  disconnectSignal: AbortSignal,
): Promise<MadeFile> => {
  const { self } = requireListed(personas, id)
  const organ = self.organs.imagination
  if (!organ) throw new Refused({ code: 'imagination_missing' })
  const { ask } = await reach(personas, id, 'imagination', organ)
  const startTime = clock.now()
  const { bytes, mime, usage } = await forAPerson(() =>
    models.imagination(ask).draw(toDrawingPrompt(self, wish), disconnectSignal),
  )
  const { provider, model } = organ
  const ms = Math.max(0, Math.round(clock.now() - startTime))
  const price = await prices.getPrice({ ...ask, usage })
  const drawingCost = {
    organ: 'imagination',
    provider,
    model,
    usage,
    ms,
    calls: 1,
    price,
    recipe: null,
  } as const
  await personas.execute(id, { type: 'RecordPortraitDrawing', used: drawingCost }, 'person')
  throwIfDisconnected(disconnectSignal)
  await checkPicture(Buffer.from(bytes))
  return { bytes, mime }
}

/** In UTF-16 units. Providers limit a prompt. */
const maxCharacterInPrompt = 1500

const toDrawingPrompt = ({ name, character }: Self, wish: string): string =>
  [
    `A portrait of a character named ${name}: one face, head and shoulders, looking at the viewer, centred, in soft light, painted, with a plain background. No text.`,
    ...(character
      ? [`The character: ${fillPlaceholders(character.text, name, 'you').slice(0, maxCharacterInPrompt)}`]
      : []),
    ...(wish ? [wish] : []),
  ]
    .join('\n\n')
    .toWellFormed()

/** Returns the type by the content, never by the name. Throws Refused: portrait_invalid. */
const checkPicture = async (bytes: Buffer): Promise<SizedType> => {
  const mime = (await detectMagic(bytes))?.mime
  if (!isSizedType(mime)) throw invalid('A portrait must be a PNG, JPEG, WebP or GIF picture.')
  const size = readPictureSize(bytes, mime)
  if (!size) throw invalid('The picture is damaged. Save it again, or choose another one.')
  if (Math.max(size.width, size.height) > maxSide || size.width * size.height > maxPixels)
    throw invalid(`The picture is too large: ${size.width} × ${size.height} pixels. Make it smaller.`)
  return mime
}

const invalid = (reason: string) => new Refused({ code: 'portrait_invalid', reason })

const extensions: Readonly<Record<SizedType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}
