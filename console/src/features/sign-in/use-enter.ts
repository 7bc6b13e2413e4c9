import { useEffect, useRef } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { session } from '../../api/session'
import { rememberCancelledDeletion } from '../../navigation/cancelled-deletion'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { navigate } from '../../navigation/router'
import { afterSignIn, requestOf, type SignInSearch, samlRequestOf } from '../../navigation/sign-in-search'
import { goOn } from './go-on'
import { hasNews } from './new-teams'
import { onceSeen } from './once-seen'
import { openChallenge } from './second-factor/challenge'

/**
 * Returns a function that handles the response of a sign-in: it stores the session and navigates to the destination. It also takes the
 * email address, if the user entered it for this sign-in.
 */
export function useEnter(search: SignInSearch) {
  return (answer: SessionAnswer, email?: string) => {
    if (!isOpen(answer)) {
      openChallenge(answer, email)
      return navigate({ to: '/mfa', search })
    }
    session.accept(answer)
    rememberCancelledDeletion(session.view())
    const due = dueAfterSignIn(session.view(), safeReturn(afterSignIn(search)))
    if (due) return navigate(due)
    // A user with a destination is not interrupted: the account page lists the teams.
    if (!afterSignIn(search) && hasNews(answer)) return navigate({ to: '/account/teams' })
    return goOn(search)
  }
}

/** Continues automatically when the user signs in in another tab, for example with a mailed link. */
export function useFollowSignIn(search: SignInSearch) {
  const once = Boolean(requestOf(search) ?? samlRequestOf(search))
  const latest = useRef(search)
  latest.current = search
  useEffect(() => {
    let left = false
    const stop = session.listen(async (event) => {
      if (event !== 'signed-in') return
      // An application's request is answered once: by the visible tab.
      if (once) await onceSeen()
      if (!left && (await session.restore())) void goOn(latest.current)
    })
    return () => {
      left = true
      stop()
    }
  }, [once])
}
