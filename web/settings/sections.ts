/** The sections of a persona's settings in display order. Each name is the hash of its address. */
export const sections = [
  'life',
  'character',
  'initiative',
  'organs',
  'channels',
  'mail',
  'care',
  'import',
  'backup',
  'delete',
] as const

/** Parts of other views that look like a section of the settings. */
type OtherSection = 'models' | 'tools' | 'skills' | 'appearance'
export type Section = (typeof sections)[number] | OtherSection
