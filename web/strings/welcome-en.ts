/**
 * The texts about choosing a new persona, the first messages and who a persona is, in English. They are
 * loaded on demand.
 */

export type WelcomeStrings = typeof text

export const text = {
  begin: {
    title: 'Who would you like to meet?',
    lead: 'An AI that remembers your talks, keeps your reminders, and runs on this machine. You can change everything later.',
    characters: 'Characters',
    samples: 'How they speak',
    own: 'Your own',
    ownWhat: 'A name, a character and a model of your choice.',
    card: 'From a card',
    cardWhat: 'A character card, PNG or JSON.',
    reading: 'Reading the card…',
    fromCard: (card: string) => `Character card “${card}”`,
    cardUnnamed: 'From a card without a name',
    back: 'Restore from a backup file',
    backWhat: 'It needs its 24 recovery words.',
    model: (name: string) => `Which model should ${name} use?`,
    looking: 'Looking for models on this machine…',
    here: 'On this machine: private and free.',
    served: (program: string) => `In ${program}, on this machine.`,
    practice: 'Practice model',
    practiceWhat:
      'Ready now, without a download. It follows simple rules: it keeps reminders and facts, but it does not really understand.',
    download: (title: string, size: string) => `${title} (${size})`,
    downloadWhat:
      'A real model, private and free. It is downloaded while you talk to the practice model, then takes over.',
    thinks: (model: string) => `Model: ${model}`,
    key: 'With a key of Anthropic, OpenAI, Google or xAI',
    start: (name: string) => `Talk to ${name}`,
    starting: (name: string) => `Starting ${name}…`,
    pictureFailed: 'The picture of the card could not be saved as the portrait.',
  },

  examples: {
    label: 'Say it in the talk, for example',
    memory: [
      'Remember that my sister is called Ana.',
      'Remember that I do not eat meat.',
      'Remember that you may wake me early.',
    ],
    calendar: [
      'Remind me tomorrow at nine to call the dentist.',
      'Remind me every Monday at eight to take out the bins.',
      'I am at the doctor on Friday at three.',
    ],
    instructions: [
      'When I ask for a recipe, always give the amounts for two.',
      'When I am sad, do not give advice at once.',
    ],
  },

  who: {
    character: 'Character',
    noCharacter: (name: string) => `${name} has no character of its own yet: friendly and plain.`,
    fromCard: (card: string) => `From the card “${card}”.`,
    more: 'Show all',
    change: 'Change',
    voice: 'Voice',
    speaks: (model: string) => `Speaks with ${model}.`,
    noVoice: 'Only writes. Your browser can read messages aloud.',
    giveVoice: 'Add a voice',
    since: (date: string) => `Created on ${date}`,
    knows: (name: string) => `What ${name} remembers of you`,
    knowsNothing: (name: string) => `Nothing yet. ${name} remembers what you say about yourself.`,
    all: (count: number) => (count === 1 ? 'See the statement' : `See all ${count} statements`),
  },

  portrait: {
    title: 'Portrait',
    choose: 'Choose a picture…',
    paste: 'You can also paste one here.',
    draw: 'Draw one',
    drawing: 'Drawing…',
    noDrawing: (name: string) => `${name} cannot draw yet.`,
    giveDrawing: 'Add drawing',
    proposal: 'The drawn portrait',
    use: 'Use it',
    another: 'Draw another one',
    dismiss: 'No, thank you',
    remove: 'Remove the portrait',
    saving: { doing: 'Saving the portrait…', done: 'Saved.' },
    removing: { doing: 'Removing the portrait…', done: 'Removed.' },
    unreadable: 'This file is no picture that can be shown here. Choose a PNG, JPEG, WebP or GIF.',
    fromCard: 'Use the picture of the card as the portrait',
  },
}
