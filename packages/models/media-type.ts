/** What bytes are, whatever anybody calls them. */
import { magicOf } from '../kit/files/magic.ts'

/** Without parameters; undefined where nothing is known that looks like it. */
export const mimeOf = async (bytes: Uint8Array): Promise<string | undefined> => (await magicOf(bytes))?.mime
