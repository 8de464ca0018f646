/** The cursor of a pull: the positions after the pulled facts. Clients do not look into it. */
import * as z from 'zod'

const Entry = z.tuple([z.string(), z.int().min(1), z.string().regex(/^[0-9a-f]{64}$/), z.int().min(0)])
const Cursor = z.array(Entry).min(1).max(10_000)

export interface CursorPlace {
  readonly id: string
  readonly seq: number
  readonly hash: string
  /** Of the position, when the facts were read. */
  readonly epoch: number
}

export const encodeCursor = (places: readonly CursorPlace[]): string =>
  Buffer.from(JSON.stringify(places.map(({ id, seq, hash, epoch }) => [id, seq, hash, epoch]))).toString(
    'base64url',
  )

/** Returns null if the text is not a cursor. */
export const parseCursor = (text: string): readonly CursorPlace[] | null => {
  try {
    const cursor = Cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return cursor.success ? cursor.data.map(([id, seq, hash, epoch]) => ({ id, seq, hash, epoch })) : null
  } catch {
    return null
  }
}
