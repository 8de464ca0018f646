/** Writes the files that a form expects to disk. Ignores its other files. */

import type { Readable } from 'node:stream'
import type { Options } from 'multer'
import type { Staged } from '../../../home/media.ts'
import { plainName } from '../../../packages/kit/files/file-name.ts'
import { HttpRefused } from '../refused.ts'

/** An uploaded file. It is deleted after the response, unless the handler kept it. */
export interface Upload {
  /** The name that the client gave: the last part of a path, never a path. */
  readonly name: string
  /** From the media type of the part. */
  readonly charset: string | null
  readonly staged: Staged
}

export const isUpload = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'staged' in value

export interface Intake extends Required<Pick<Options, 'storage' | 'fileFilter'>> {
  /** Resolves with the files in the order they arrived. Call it after the form has been read. */
  taken(): Promise<readonly Upload[]>
  /** Stops waiting for the rest of the current file. */
  cut(): void
  /** Removes the files that were not kept. Never rejects. */
  drop(): Promise<void>
}

interface IntakeOptions {
  /** Name of the part. */
  readonly part: string
  /** Max files with that name. */
  readonly mostFiles: number
  /** Max bytes of each file. */
  readonly most: number
  /** Returns the charset of the part that has just begun. */
  readonly charset: () => string | null
  readonly stage: (chunks: AsyncIterable<Uint8Array>) => Promise<Staged>
  /** Called immediately with the error. The parser would first wait for the rest of the request. */
  readonly fail: (error: Error) => void
}

export const createIntake = ({
  part,
  mostFiles,
  most: maxBytes,
  charset,
  stage,
  fail,
}: IntakeOptions): Intake => {
  let fileCount = 0
  let stream: Readable | undefined
  const staging: (Pick<Upload, 'name' | 'charset'> & { readonly staged: Promise<Staged> })[] = []
  return {
    storage: {
      _handleFile: (_request, file, callback) => {
        stream = file.stream
        const stagedUpload = stage(limitSize(stream, maxBytes))
        staging.push({ name: plainName(file.originalname), charset: charset(), staged: stagedUpload })
        stagedUpload.then(
          () => callback(null),
          (error: Error) => {
            fail(error)
            callback(error)
          },
        )
      },
      _removeFile: (_request, _file, callback) => callback(null),
    },
    fileFilter: (_request, { fieldname }, callback) => {
      const takes = fieldname === part && fileCount < mostFiles
      if (takes) fileCount += 1
      callback(null, takes)
    },
    taken: () =>
      Promise.all(
        staging.map(async ({ staged: stagedFile, ...fields }) => ({ ...fields, staged: await stagedFile })),
      ),
    // After the response, the parser does not learn that the rest of the request will not arrive.
    cut: () => void stream?.destroy(),
    drop: async () => {
      for (const { staged: stagedFile } of staging) await (await stagedFile.catch(() => undefined))?.drop()
    },
  }
}

export const fileTooLarge = (maxBytes: number): HttpRefused =>
  new HttpRefused({ code: 'body_too_large', what: 'file', most: maxBytes })

async function* limitSize(chunks: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw fileTooLarge(maxBytes)
    yield chunk
  }
}
