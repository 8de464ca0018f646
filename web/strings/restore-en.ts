/** The texts about recovery words and restoring a persona in English. */

export type RestoreStrings = typeof text

export const text = {
  words: {
    title: (name: string) => `The 24 recovery words of ${name}`,
    body: (name: string) =>
      `Every night a backup file of ${name} is written. Only these words open it. They are stored nowhere else: write them down and keep them as safe as a key.`,
    list: 'The 24 recovery words in order',
    copy: 'Copy',
    copied: 'Copied. Other programs can read the clipboard: paste the words soon, then copy something else.',
    notCopied: 'Copying is not allowed here. Please select the text.',
    save: 'Save as a file',
    saved: 'Saved. Move the file where others cannot read it.',
    print: 'Print',
    fileName: (name: string) => `${name} recovery words`,
    kept: 'I have them',
    later: 'Later',
    askTitle: 'Do you have them all?',
    askBody: 'Please type three of the words, to check that you have saved them.',
    word: (place: number) => `Word ${place}`,
    check: 'Continue',
    look: 'Show the words again',
    wrong: (places: string, one: boolean) =>
      one
        ? `Word ${places} is not the one that was shown.`
        : `Words ${places} are not the ones that were shown.`,
    and: ' and ',
    done: (name: string) => `Good. With these words, ${name} can always be restored.`,
    paper: (name: string, date: string) =>
      `Recovery words of ${name}, ${date}. Together with a .diary file they restore ${name}. Anyone who has both can read everything.`,
  },

  restore: {
    title: 'Restore from a backup file',
    body: 'A backup file and its 24 recovery words restore a persona with everything it remembers.',
    file: 'The backup file',
    choose: 'Choose a .diary file',
    another: 'Choose another file',
    drop: 'or drop it here',
    dropNow: 'Drop the backup file here',
    fileMissing: 'Please choose the backup file. Its name ends in .diary.',
    oneFile: 'Please choose only one backup file.',
    empty: 'This file is empty.',
    odd: 'The name of this file does not end in .diary. If it is a backup file anyway, continue.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'The 24 recovery words',
    wordsHint: 'Type or paste them in their order. Capitals, commas, numbers and line breaks do not matter.',
    wordsMissing: 'Please type the 24 recovery words.',
    checkWords: 'Please check the 24 recovery words: the problem is shown below them.',
    count: (count: number) => (count === 1 ? '1 of 24 words' : `${count} of 24 words`),
    tooMany: (count: number) => `${count} words: ${count - 24} too many. Is one there twice?`,
    unknown: (place: number, word: string) => `Word ${place}, “${word}”, is not one of the 2048 words.`,
    perhaps: 'Perhaps',
    replace: (place: number, word: string) => `Make word ${place} “${word}”`,
    checksum:
      'All 24 words are valid, but they do not belong together. One word may be wrong, or two may be swapped.',
    whole: 'All 24 words are right.',
    mind: 'Choose it again: a backup file contains no keys.',
    back: 'Restore',
    sending: (percent: number) => `Sending the backup file, ${percent} %`,
    opening: 'Opening and checking the backup file…',
    doing: 'Restoring…',
    done: (name: string) => `${name} is restored.`,
    cancel: 'Cancel',
    stopped: 'Cancelled. Nothing was changed.',
    broke: 'The backup file could not be sent. It may have been changed or moved since you chose it.',
    orNew: 'Or create a new persona',
  },

  phrase: {
    title: (name: string) => `New recovery words for ${name}`,
    body: (name: string) =>
      `The first 24 recovery words of ${name} were never confirmed, and this page does not store them. You can make new ones at any time: a new backup file is written right away, and only the new words open it.`,
    older:
      'If you did write the first words down, they still open the backup files made until now, but no later ones.',
    make: 'Make new recovery words',
    making: 'Writing a new backup file…',
    haveThem: 'I have the first words',
    failed: 'The new words could not be made.',
    olderLeft: (count: number) =>
      count === 1
        ? 'One older backup file is still here. Only the earlier words open it.'
        : `${count} older backup files are still here. Only the earlier words open them.`,
  },
}
