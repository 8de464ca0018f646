/** One finding of `doctor`. */
export interface Finding {
  readonly what: string
  readonly state: 'well' | 'note' | 'amiss'
  readonly told: string
}
