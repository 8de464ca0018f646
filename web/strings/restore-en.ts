/** The texts about recovery words and restoring a persona in English. */

export type RestoreStrings = typeof text

export const text = {
  words: {
    bar: 'Not backed up yet',
    barOpen: 'Save the recovery words',
    hide: 'Remind me in a week',
    title: (name: string) => `The 24 recovery words of ${name}`,
    body: (name: string) =>
      `Every night a backup of ${name} is written, the diary. Only these words open it. They are stored nowhere else: write them down, and keep them as safe as a key.`,
    list: 'The 24 recovery words in order',
    copy: 'Copy',
    copied: 'Copied. Clipboards are read by many: paste the words soon, and copy something else.',
    notCopied: 'Copying is not allowed here. Please select the text.',
    save: 'Save as a file',
    saved: 'Saved. Move the file where others cannot read it.',
    print: 'Print',
    fileName: (name: string) => `${name} recovery words.txt`,
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
    title: 'Bring someone back',
    body: 'From a diary and its 24 words they come back with everything they remember.',
    file: 'The diary',
    choose: 'Choose a .diary file',
    another: 'Choose another file',
    drop: 'or drop it here',
    dropNow: 'Drop the diary here',
    fileMissing: 'Please choose the diary, a file that ends in .diary.',
    oneFile: 'One diary at a time, please.',
    empty: 'This file is empty.',
    odd: 'This file does not end in .diary. If it is a diary anyway, continue.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'The 24 recovery words',
    wordsHint: 'Type or paste them in their order. Capitals, commas, numbers and line breaks do not matter.',
    wordsMissing: 'Please type the 24 words.',
    checkWords: 'Please check the 24 words: the problem is shown below them.',
    count: (count: number) => (count === 1 ? '1 of 24 words' : `${count} of 24 words`),
    tooMany: (count: number) => `${count} words: ${count - 24} too many. Is one there twice?`,
    unknown: (place: number, word: string) => `Word ${place}, “${word}”, is not one of the 2048 words.`,
    perhaps: 'Perhaps',
    replace: (place: number, word: string) => `Make word ${place} “${word}”`,
    checksum:
      'All 24 words are in the list, but they do not belong together. One may be mistaken for another, or two may be swapped.',
    whole: 'All 24 words are right.',
    mind: 'Choose it again: a diary contains no keys.',
    back: 'Bring them back',
    sending: (percent: number) => `Sending the diary, ${percent} %`,
    opening: 'Opening the diary, and looking through every page…',
    doing: 'Bringing them back…',
    done: (name: string) => `${name} is back.`,
    cancel: 'Stop',
    stopped: 'Stopped. Nothing was changed.',
    broke: 'The diary did not get through. It may have been changed or moved since it was chosen.',
    orNew: 'Or wake someone new',
  },

  phrase: {
    title: (name: string) => `New words for ${name}`,
    body: (name: string) =>
      `The first 24 words of ${name} were never confirmed, and this page does not keep them. You can make new ones at any time: a new diary is written immediately, and only they open it.`,
    older:
      'If you did write the first words down, they still open the diaries made until now. They open none from now on.',
    make: 'Make new words',
    making: 'Writing a new diary…',
    haveThem: 'I have the first ones',
    failed: 'The new words could not be made.',
    olderLeft: (count: number) =>
      count === 1
        ? 'One older diary is still here, which only the earlier words open.'
        : `${count} older diaries are still here, which only the earlier words open.`,
  },
}
