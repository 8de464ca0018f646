/** What the room of settings is made of, in the order it is shown in; each is an anchor of its address. */
export const sections = [
  'life',
  'organs',
  'channels',
  'tools',
  'skills',
  'import',
  'backup',
  'appearance',
  'delete',
] as const
export type Section = (typeof sections)[number]
