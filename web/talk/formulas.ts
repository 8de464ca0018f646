/** Typesets the formulas of a message. Loads the library for this with the first one. */
import { text } from '../strings/strings.ts'

type Draw = typeof import('./draw-formula.ts').drawFormula

let draw: Draw | undefined

/** Returns at once if the library is loaded. Otherwise, the sources stay visible until it is. */
export const drawFormulas = (container: ParentNode): void => {
  const places = [...container.querySelectorAll<HTMLElement>('span.formula')]
  if (places.length === 0) return
  if (draw) return drawAll(draw, places)
  void import('./draw-formula.ts').then(
    ({ drawFormula }) => {
      draw = drawFormula
      drawAll(drawFormula, places)
    },
    // Without a connection the sources stay. The next formula tries again.
    () => {},
  )
}

const drawAll = (drawFormula: Draw, places: readonly HTMLElement[]) => {
  for (const place of places) drawFormula(place, text.talk.formula)
}
