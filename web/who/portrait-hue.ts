/** Tints a room with the main hue of the portrait. Lightness stays, so that text keeps its contrast. */
import type { Attachment } from 'svelte/attachments'

/** Side of the canvas on which the hue is measured, in pixels. */
const sampleSide = 24
/** Below this mean chroma of OKLab a picture is grey. */
const minChroma = 0.02

/** Hues in degrees by address of the picture; null for a grey one. */
const hues = new Map<string, Promise<number | null>>()

/** Attaches to a room. Without a portrait the room has the usual colours. */
export const tintedBy =
  (portrait: string | null): Attachment<HTMLElement> =>
  (room) => {
    if (portrait === null) return undefined
    let isGone = false
    const hue = hues.get(portrait) ?? measureHue(portrait)
    hues.set(portrait, hue)
    void hue.then((degrees) => {
      if (isGone || degrees === null) return
      room.style.setProperty('--hue', String(degrees))
      room.classList.add('tinted')
    })
    return () => {
      isGone = true
      room.classList.remove('tinted')
    }
  }

const measureHue = async (url: string): Promise<number | null> => {
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } catch {
    return null
  }
  const canvas = document.createElement('canvas')
  canvas.width = sampleSide
  canvas.height = sampleSide
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(image, 0, 0, sampleSide, sampleSide)
  return getMainHue(context.getImageData(0, 0, sampleSide, sampleSide).data)
}

/**
 * Returns the mean hue in degrees of OKLab, weighted by colour; null for a grey picture. `pixels`: RGBA, 0 to
 * 255. Source of the matrices: Björn Ottosson, "A perceptual color space for image processing".
 */
export const getMainHue = (pixels: ArrayLike<number>): number | null => {
  let sumA = 0
  let sumB = 0
  let chroma = 0
  for (let offset = 0; offset + 3 < pixels.length; offset += 4) {
    const alpha = (pixels[offset + 3] ?? 0) / 255
    const { a, b } = toOklab(pixels[offset] ?? 0, pixels[offset + 1] ?? 0, pixels[offset + 2] ?? 0)
    sumA += a * alpha
    sumB += b * alpha
    chroma += Math.hypot(a, b) * alpha
  }
  const count = pixels.length / 4
  if (count === 0 || chroma / count < minChroma) return null
  const degrees = (Math.atan2(sumB, sumA) * 180) / Math.PI
  return Math.round((degrees + 360) % 360)
}

const toLinear = (value: number): number => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const toOklab = (red: number, green: number, blue: number) => {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}
