import { useEffect, useRef } from 'react'

/** Moves the focus to the page, after the element that had it is removed. */
export function focusPage(): void {
  document.getElementById('page')?.focus({ preventScroll: true })
}

export const hasLostFocus = (): boolean => document.activeElement === null || document.activeElement === document.body

/** When the component is removed with the focus in it, `target` gets the focus. */
export function useFocusAfterRemoval(target: () => HTMLElement | null | undefined): void {
  const latest = useRef(target)
  useEffect(() => {
    latest.current = target
  })
  useEffect(
    () => () => {
      if (hasLostFocus()) latest.current()?.focus({ preventScroll: true })
    },
    [],
  )
}
