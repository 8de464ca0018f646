/** The sections of the settings in display order. Each name is the hash of its address. */
export const sections = [
  'life',
  'character',
  'organs',
  'models',
  'channels',
  'tools',
  'skills',
  'import',
  'backup',
  'appearance',
  'delete',
] as const
export type Section = (typeof sections)[number]
