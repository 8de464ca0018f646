/** Which of the known exports a CSV file is, by the names of its columns. */
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { fromCopilot, isCopilot } from './copilot.ts'
import { columnsIn, rowsIn } from './csv-rows.ts'
import { type DiscordChat, fromDiscordRows, isDiscordTable, onlyYoursNote } from './discord-package.ts'
import type { Found } from './imported-conversation.ts'
import type { OnLeftOut } from './left-out.ts'

interface Options {
  readonly maybeYield: MaybeYield
  readonly onLeftOut: OnLeftOut
  readonly onNote: (note: string) => void
}

export const isKnownTable = (columns: readonly string[]): boolean =>
  isCopilot(columns) || isDiscordTable(columns)

/** `head`: the beginning of the file. Returns undefined for any other table. */
export const fromTable = (
  head: string,
  chunks: AsyncIterable<Buffer>,
  chat: DiscordChat | undefined,
  { maybeYield, onLeftOut, onNote }: Options,
): AsyncIterable<Found> | undefined => {
  const columns = columnsIn(head)
  if (isCopilot(columns)) return fromCopilot(rowsIn(head, chunks, maybeYield), onLeftOut)
  if (!isDiscordTable(columns)) return undefined
  onNote(onlyYoursNote)
  return fromDiscordRows(rowsIn(head, chunks, maybeYield), chat, onLeftOut)
}
