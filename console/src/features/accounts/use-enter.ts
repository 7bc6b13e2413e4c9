import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { session } from '../../api/session'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { afterSignIn, requestOf, type SignInSearch } from '../../navigation/sign-in-search'
import { openChallenge } from './challenge'
import { onceSeen } from './once-seen'

/** What to do with the answer of a sign-in: hold the session and go to where the visitor wanted to go. */
export function useEnter(search: SignInSearch) {
  const router = useRouter()
  return (answer: SessionAnswer) => {
    if (!isOpen(answer)) {
      openChallenge(answer)
      return router.navigate({ to: '/mfa', search })
    }
    session.accept(answer)
    const target = safeReturn(afterSignIn(search))
    const due = dueAfterSignIn(session.view(), target)
    if (due) return router.navigate(due)
    router.history.replace(target)
  }
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
