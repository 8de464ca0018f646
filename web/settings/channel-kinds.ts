/** The platforms of channels in display order. */
export const kinds = ['telegram', 'discord'] as const
export type Kind = (typeof kinds)[number]
