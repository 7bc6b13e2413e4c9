import { useRef } from 'react'

/** Returns true once `now` has been true: a section that an error opened stays open while the error is corrected. */
export function useOnceTrue(now: boolean): boolean {
  const was = useRef(false)
  was.current ||= now
  return was.current
}
