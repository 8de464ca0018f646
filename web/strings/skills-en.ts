/** The texts about skills in English. */
export type SkillStrings = typeof text

export const text = {
  lead: (name: string) =>
    `A skill is a folder of instructions, in the form of agentskills.io. Once you have enabled it, ${name} reads it when it fits the situation. Nothing in it is run, and it gives no permissions, no matter what it says.`,
  empty: (name: string) => `${name} has no skills yet.`,
  file: 'Add a skill: a zip of its folder, or its SKILL.md',
  fileHint: 'Choose a file or drop it here. You see everything in it before it is used.',
  adding: { doing: 'Adding …', done: 'Added. Look at it, and enable it if you agree with it.' },
  changed: (skill: string) => `${skill} has changed, and is disabled. Look at it again before you enable it.`,
  same: (skill: string) => `${skill} is already here, unchanged.`,
  on: 'Enabled',
  off: 'Not enabled',
  look: 'Look at it',
  lookOne: (skill: string) => `Look at ${skill}`,
  close: 'Close',
  closeOne: (skill: string) => `Close ${skill}`,
  whole: (count: number) =>
    count === 1 ? 'This is the whole skill.' : `These are all of its ${count} files.`,
  script: 'A script: it can be read, and is not run.',
  binary: (bytes: number) => `Not text, ${bytes} bytes: it is not read.`,
  enable: 'Enable it as it is',
  enableOne: (skill: string) => `Enable ${skill} as it is`,
  enabling: { doing: 'Enabling …', done: 'Enabled.' },
  disable: 'Disable',
  disableOne: (skill: string) => `Disable ${skill}`,
  disabling: { doing: 'Disabling …', done: 'Disabled.' },
  remove: 'Remove',
  removeOne: (skill: string) => `Remove ${skill}`,
  removeWarning: (name: string) => `Its files are deleted, too, and ${name} can no longer use it.`,
  removing: { doing: 'Removing …', done: 'Removed.' },
  offered: 'On this machine',
  offeredHint: 'From ~/.agents/skills. None of them is used before you add and enable it.',
  add: 'Add',
  addOne: (skill: string) => `Add ${skill}`,
}
