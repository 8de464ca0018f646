/** Finds the main hue of a picture. */

/** Below this mean chroma of OKLab a picture is grey. */
const minChroma = 0.02

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
