/** Only where the page came over a safe way: this machine itself, or https. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' && navigator.mediaDevices !== undefined
