/** Detects the MIME type from content. */
import { magicOf } from '../kit/files/magic.ts'

/** Returns the MIME type without parameters, or undefined if unknown. */
export const mimeOf = async (bytes: Uint8Array): Promise<string | undefined> => (await magicOf(bytes))?.mime
