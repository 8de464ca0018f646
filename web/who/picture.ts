/** Prepares a picture for the portrait: a square of at most 512 pixels, so that lists stay light. */

const maxSide = 512
/** The share of the cut-off height that is cut at the top: faces are in the upper part of a picture. */
const topShare = 0.2
const quality = 0.9

/** Returns null if the browser cannot show the file. */
export const toPortrait = async (file: Blob): Promise<Blob | null> => {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  const cut = Math.min(bitmap.width, bitmap.height)
  const side = Math.min(cut, maxSide)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  const left = (bitmap.width - cut) / 2
  const top = (bitmap.height - cut) * topShare
  context.drawImage(bitmap, left, top, cut, cut, 0, 0, side, side)
  bitmap.close()
  // A browser that cannot write WebP writes PNG.
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', quality))
}

/** Returns the first picture of a paste or a drop. */
export const pictureIn = (data: DataTransfer | null): File | null =>
  [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null
