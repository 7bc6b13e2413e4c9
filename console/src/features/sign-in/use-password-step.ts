import { type RefObject, useEffect, useRef, useState } from 'react'
import { typedAddress } from './typed-address'

/** Whether the history entry is the second step, and this document knows the email address of the first. */
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
    leave(): Promise<void> {
      isLeaving.current = true
      return new Promise((resolve) => {
        addEventListener('popstate', () => resolve(), { once: true })
        history.back()
      })
    },
  }
}
