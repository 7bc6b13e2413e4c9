import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { session } from '../../api/session'
import { safeReturn } from '../../navigation/return-to'

/** What to do with the answer of a sign-in: hold the session and go to where the visitor wanted to go. */
export function useEnter(returnTo: string | undefined) {
  const router = useRouter()
  return (answer: SessionAnswer) => {
    if (!isOpen(answer)) return router.navigate({ to: '/mfa' })
    session.accept(answer)
    const target = safeReturn(returnTo)
    if (answer.mustChangePassword) return router.navigate({ to: '/password-due', search: { returnTo: target } })
    router.history.replace(target)
  }
}

/** Goes on by itself when the visitor signs in in another tab, as by the link from a mail. */
export function useFollowSignIn(returnTo: string | undefined) {
  const { history } = useRouter()
  useEffect(
    () =>
      session.listen(async (event) => {
        if (event === 'signed-in' && (await session.restore())) history.replace(safeReturn(returnTo))
      }),
    [history, returnTo],
  )
}
