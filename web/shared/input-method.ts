/**
 * Returns true if the key belongs to an input method, for example Enter to accept a word. Safari reports this
 * key only after the end of the composition, with the key code 229.
 */
export const isForInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229
