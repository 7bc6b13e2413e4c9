import { useRef } from 'react'

/** True from the first time on that `now` is: what was opened for an error stays open while it is mended. */
export function useOnceTrue(now: boolean): boolean {
  const was = useRef(false)
  was.current ||= now
  return was.current
}
