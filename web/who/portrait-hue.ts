/** Tints a room with the main hue of the portrait. Lightness stays, so that text keeps its contrast. */
import type { Attachment } from 'svelte/attachments'
import { getMainHue } from './main-hue.ts'

/** Side of the canvas on which the hue is measured, in pixels. */
const sampleSide = 24
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
