/** Draws loudness as strokes, the newest on the right. */

/** Returns the SVG path in a drawing that is 32 high. */
export const getWavePath = (levels: readonly number[], distance: number): string =>
  levels
    .map((level, index) => {
      const halfHeight = 1 + level * 13
      return `M${index * distance + distance / 2} ${(16 - halfHeight).toFixed(1)}v${(halfHeight * 2).toFixed(1)}`
    })
    .join('')
