/** The texts about trying a model before a switch, in English. */
export const text = {
  title: 'Try before you switch',
  lead: (model: string, name: string) =>
    `${model} answers messages of the past again, beside the model that ${name} has now. Both see what ${name} saw then. No tool is used, and nothing is kept except the cost.`,
  empty: 'There are no answers yet that could be compared. Talk first.',
  choose: 'Messages to answer again',
  chosen: (count: number, max: number) => `${count} of ${max}`,
  subject: { memory: 'Memory', tools: 'Tools', emotion: 'Feelings', humour: 'Humour', talk: 'Talk' },
  other: (model: string) => `Compare with another model than ${model}`,
  keyHint: 'Used for this comparison and not stored. Empty means the stored key of this provider.',
  cost: (count: number) =>
    count === 1 ? 'This is one model call.' : `These are ${count} model calls or more.`,
  start: 'Compare',
  starting: 'Starting…',
  progress: (count: number, all: number) => `${count} of ${all} answers`,
  stop: 'Stop',
  stopped: 'Stopped. The answers so far:',
  done: 'All answers are here.',
  waiting: 'Waiting…',
  notAsked: 'Not asked.',
  wouldUse: (tool: string) => `Would use ${tool}:`,
  used: (tool: string) => `Used ${tool}, with the result of that time.`,
  noText: 'No text.',
  noPrice: 'no price',
  tokens: (count: string) => `${count} tokens`,
  total: 'All answers together',
  switch: 'Switch to this model',
  keep: 'Keep the model',
}

export type AuditionStrings = typeof text
