/** The texts about the help in danger in English, which are loaded on demand. */
export type CareStrings = typeof text

export const text = {
  title: 'Help near you',
  lead: (name: string) =>
    `When you write that your life is in danger, Daimon shows you the crisis line and the emergency number of your country below the answer, once a day at most. It needs no model for that, and ${name} goes on talking with you.`,
  country: 'Country',
  automatic: (country: string) => `By time zone: ${country}`,
  automaticUnknown: 'By time zone: unknown',
  preview: 'You would see:',
  off: 'Do not show this help',
  adult: 'I am an adult, and I use this persona only for myself.',
  adultHint:
    'Someone who offers a companion to others may have to keep this help on: California (SB 243) and Washington (HB 2225) require it of such services. This is no legal advice.',
  disclosure: (name: string) =>
    `${name} always says that it is software when you ask in earnest. That cannot be switched off.`,
  turnOff: 'Switch the help off',
  turnOn: 'Switch the help on',
  isOff: 'The help is switched off.',
  saving: { doing: 'Saving…', done: 'Saved.' },
}
