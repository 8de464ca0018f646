/** What bytes are, whatever anybody calls them. */

/** Without parameters; undefined where nothing is known that looks like it. */
export const mimeOf = async (bytes: Uint8Array): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime.split(';')[0]
}
