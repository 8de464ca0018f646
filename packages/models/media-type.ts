/** Detects the MIME type from content. */
import { detectMagic } from '../kit/files/magic.ts'

/** Returns the MIME type without parameters, or undefined if unknown. */
export const detectMediaType = async (bytes: Uint8Array): Promise<string | undefined> =>
  (await detectMagic(bytes))?.mime
