/** A measured figure with the baseline of the same run. */
export interface Figure {
  readonly label: string
  readonly value: number
  readonly unit: string
  readonly baseline?: { readonly label: string; readonly value: number }
  readonly goal: string
  readonly isMet: boolean
}

export const median = (values: readonly number[]): number => {
  const sortedValues = [...values].sort((a, b) => a - b)
  return sortedValues[Math.floor(sortedValues.length / 2)] ?? 0
}

export const print = (figures: readonly Figure[]): void => {
  const number = (value: number) => (value >= 100 ? Math.round(value).toString() : value.toFixed(2))
  for (const { label, value, unit, baseline, goal, isMet } of figures) {
    const comparison = baseline
      ? `, ${(value / baseline.value).toFixed(2)} × ${baseline.label} (${number(baseline.value)} ${unit})`
      : ''
    console.log(
      `${isMet ? 'met   ' : 'MISSED'}  ${label}: ${number(value)} ${unit}${comparison}; goal ${goal}`,
    )
  }
}
