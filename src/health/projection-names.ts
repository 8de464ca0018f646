/** The names of projections: data that is derived from the facts of a persona. */
export const ProjectionNames = ['state', 'search', 'vectors', 'links'] as const
export type ProjectionName = (typeof ProjectionNames)[number]
