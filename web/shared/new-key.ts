/** Not `randomUUID`: it is missing where the page is not served from a loopback address. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
