/** Draws loudness as strokes, the newest on the right. */

/** Returns the SVG path in a drawing that is 32 high. */
export const getWavePath = (levels: readonly number[], distance: number): string =>
  levels
    .map((level, at) => {
      const half = 1 + level * 13
      return `M${at * distance + distance / 2} ${(16 - half).toFixed(1)}v${(half * 2).toFixed(1)}`
    })
    .join('')
