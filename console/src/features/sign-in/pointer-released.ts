let isDown = false
if (typeof document !== 'undefined')
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    document.addEventListener(
      type,
      () => {
        isDown = type === 'pointerdown'
      },
      true,
    )

/** Waits for the end of a click, so that no button changes under the pointer. */
export function pointerReleased(): Promise<void> {
  if (!isDown) return Promise.resolve()
  return new Promise((resolve) => {
    // The click follows the event that releases the pointer.
    const done = () => setTimeout(resolve)
    for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, done, { once: true })
  })
}
