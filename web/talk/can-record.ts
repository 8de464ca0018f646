/** Recording needs a secure context: a loopback address or https. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' && navigator.mediaDevices !== undefined
