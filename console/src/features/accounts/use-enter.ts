import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { session } from '../../api/session'
import { safeReturn } from '../../navigation/return-to'
import { afterSignIn, requestOf, type SignInSearch } from '../../navigation/sign-in-search'

/** What to do with the answer of a sign-in: hold the session and go to where the visitor wanted to go. */
export function useEnter(search: SignInSearch) {
  const router = useRouter()
  return (answer: SessionAnswer) => {
    if (!isOpen(answer)) return router.navigate({ to: '/mfa' })
    session.accept(answer)
    const target = safeReturn(afterSignIn(search))
    if (answer.mustChangePassword) return router.navigate({ to: '/password-due', search: { returnTo: target } })
    router.history.replace(target)
  }
}

function onceSeen(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}

/** Goes on by itself when the visitor signs in in another tab, as by the link from a mail. */
export function useFollowSignIn(search: SignInSearch) {
  const { history } = useRouter()
  const target = safeReturn(afterSignIn(search))
  const once = Boolean(requestOf(search))
  useEffect(() => {
    let left = false
    const stop = session.listen(async (event) => {
      if (event !== 'signed-in') return
      // An application's request is answered once: by the tab that the visitor looks at.
      if (once) await onceSeen()
      if (!left && (await session.restore())) history.replace(target)
    })
    return () => {
      left = true
      stop()
    }
  }, [history, target, once])
}
