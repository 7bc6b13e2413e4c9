import { type RefObject, useEffect, useRef, useState } from 'react'
import { typedAddress } from './typed-address'

const LEAVE_TIMEOUT_MS = 500

/** Returns whether the history entry is the second step, and this document knows the email address of the first. */
const isSecondStep = (): boolean =>
  typeof history !== 'undefined' && history.state?.step === 'password' && typedAddress() !== ''

/** Email first, then the password in the same form. The second step is a history entry, so that Back returns to the first. */
export function usePasswordStep(form: RefObject<HTMLFormElement | null>) {
  const [isOpen, setIsOpen] = useState(isSecondStep)
  const wasOpen = useRef(isOpen)
  const isLeaving = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) form.current?.querySelector<HTMLInputElement>('[name=email]')?.focus()
    wasOpen.current = isOpen
  }, [isOpen, form])
  useEffect(() => {
    // A reload keeps the entry of the second step, but not the email address of the first.
    if (history.state?.step === 'password' && !isSecondStep()) history.replaceState(null, '')
  }, [])
  useEffect(() => {
    const follow = () => isLeaving.current || setIsOpen(isSecondStep())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return {
    isOpen,
    open() {
      history.pushState({ step: 'password' }, '')
      setIsOpen(true)
    },
    close: () => history.back(),
    /** Removes the entry after the sign-in, so that Back does not lead to a form that redirects. The form stays as it is. */
    async leave(): Promise<void> {
      if (history.state?.step !== 'password') return
      isLeaving.current = true
      await new Promise<void>((resolve) => {
        addEventListener('popstate', () => resolve(), { once: true })
        // A tab that was restored may have no earlier entry.
        setTimeout(resolve, LEAVE_TIMEOUT_MS)
        history.back()
      })
      isLeaving.current = false
    },
  }
}
