import { useEffect, useRef } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { session } from '../../api/session'
import { rememberCancelledDeletion } from '../../navigation/cancelled-deletion'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { navigate } from '../../navigation/router'
import { afterSignIn, requestOf, type SignInSearch, samlRequestOf } from '../../navigation/sign-in-search'
import { openChallenge } from './challenge'
import { goOn } from './go-on'
import { hasNews } from './new-teams'
import { onceSeen } from './once-seen'

/** What to do with the answer of a sign-in: hold the session and go to where the visitor wanted to go. */
export function useEnter(search: SignInSearch) {
  return (answer: SessionAnswer) => {
    if (!isOpen(answer)) {
      openChallenge(answer)
      return navigate({ to: '/mfa', search })
    }
    session.accept(answer)
    rememberCancelledDeletion(session.view())
    const due = dueAfterSignIn(session.view(), safeReturn(afterSignIn(search)))
    if (due) return navigate(due)
    // A visitor on the way to a page is not stopped: the account lists the teams.
    if (!afterSignIn(search) && hasNews(answer)) return navigate({ to: '/account/teams' })
    return goOn(search)
  }
}

/** Goes on by itself when the visitor signs in in another tab, as by the link from a mail. */
export function useFollowSignIn(search: SignInSearch) {
  const once = Boolean(requestOf(search) ?? samlRequestOf(search))
  const latest = useRef(search)
  latest.current = search
  useEffect(() => {
    let left = false
    const stop = session.listen(async (event) => {
      if (event !== 'signed-in') return
      // An application's request is answered once: by the tab that the visitor looks at.
      if (once) await onceSeen()
      if (!left && (await session.restore())) void goOn(latest.current)
    })
    return () => {
      left = true
      stop()
    }
  }, [once])
}
