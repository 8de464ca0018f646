/** Stores a generated file and shows it to the user. */
import type { Used } from '../../../facts/fact-values.ts'
import type { MadeFile } from '../organ-calls.ts'
import { createFailure, type ToolContext, type ToolResult } from './tool.ts'

/** The file is on disk before the fact that names it. Throws JournalUnavailable. */
export const createMadeFile = async (
  { files }: ToolContext,
  { bytes, mime }: MadeFile,
  { name, caption }: { readonly name: string; readonly caption: string },
  usage: Used,
): Promise<ToolResult> => {
  const extension = extensions[mime] ?? 'bin'
  const storedFile = await files.storeFile(bytes, extension)
  const media = { ...storedFile, name: `${name}.${extension}`, mime, caption, voice: false }
  return {
    ok: true,
    output: { shown: storedFile.filename },
    effect: [{ type: 'Say', content: '', media }],
    calls: [{ used: usage }],
  }
}

export const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/opus': 'opus',
}

export const failWithoutOrgan = (organ: string, act: string): ToolResult =>
  createFailure(
    `You have no ${organ}, so you cannot ${act}. Tell the person so: it can be given to you under settings.`,
  )
