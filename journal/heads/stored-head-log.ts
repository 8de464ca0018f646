/** The log of signed heads in the manifest of a backup: its files as they are. */
import * as z from 'zod'

export const StoredHeadLog = z.object({ leaves: z.string(), checkpoint: z.string(), keys: z.string() })
export type StoredHeadLog = z.infer<typeof StoredHeadLog>
