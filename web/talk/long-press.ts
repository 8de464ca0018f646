/** Milliseconds that a finger rests on a message to open its menu. */
const pressMs = 500
/** Pixels that the finger may move meanwhile. */
const maxMovePx = 10

/** An attachment: calls `onPress` after a long press with a finger. Links, fields and code keep their own. */
export const longPress = (onPress: () => void) => (element: HTMLElement) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  const stop = () => clearTimeout(timer)
  const begin = ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
    stop()
    if (
      pointerType !== 'touch' ||
      !(target instanceof Element) ||
      target.closest('a, button, pre, audio, video')
    )
      return
    start = { x, y }
    timer = setTimeout(() => {
      getSelection()?.removeAllRanges()
      onPress()
    }, pressMs)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > maxMovePx) stop()
  }
  element.addEventListener('pointerdown', begin)
  element.addEventListener('pointermove', move)
  for (const type of ['pointerup', 'pointercancel']) element.addEventListener(type, stop)
  return () => {
    stop()
    element.removeEventListener('pointerdown', begin)
    element.removeEventListener('pointermove', move)
    for (const type of ['pointerup', 'pointercancel']) element.removeEventListener(type, stop)
  }
}
