/** What `doctor` finds of one thing. */
export interface Finding {
  readonly what: string
  readonly state: 'well' | 'note' | 'amiss'
  readonly told: string
}
