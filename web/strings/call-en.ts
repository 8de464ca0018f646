/** The texts about a call in English, which are loaded on demand. */
export type CallStrings = typeof text

export const text = {
  asking: 'Opening the microphone…',
  listening: 'Listening. Just speak.',
  hearing: 'Hearing you…',
  muted: 'The microphone is off.',
  waiting: (name: string) => `${name} is thinking…`,
  /** With the browser's voice, which the page cannot tell from the user. */
  speaking: (name: string) => `${name} is speaking. Tap to interrupt.`,
  speakingOver: (name: string) => `${name} is speaking. Speak or tap to interrupt.`,
  interrupt: 'Interrupt',
  mute: 'Turn the microphone off',
  unmute: 'Turn the microphone on',
  end: 'End',
  you: 'You',
  correct: 'Correct what was understood',
  corrected: 'The corrected text',
  save: 'Send the correction',
  asks: (name: string) => `${name} waits for your decision.`,
  show: 'End the call and decide',
  browserVoice: (reason: string) =>
    `The voice of the persona failed, so the browser reads instead. ${reason}`,
}
