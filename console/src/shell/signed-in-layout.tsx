import { Outlet, useMatchRoute, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { queryClient } from '../api/query-client'
import { session } from '../api/session'
import { useSession } from '../api/use-session'
import '../design/signed-in-styles'
import { SignInAgain } from '../features/sessions/sign-in-again'
import { Header } from './header'
import styles from './signed-in-layout.module.css'

/** The frame of the signed-in pages. Leaves them when another tab signs out or signs in as somebody else. */
export function SignedInLayout() {
  const current = useSession()
  // The person of this page: still known in the moment between the end of a session and the sign-in page.
  const person = useRef(current?.user)
  if (current) person.current = current.user
  const matches = useMatchRoute()
  // Areas of several pages bring their own frame around the page.
  const inArea = matches({ to: '/account', fuzzy: true }) || matches({ to: '/t/$slug', fuzzy: true })
  const { history } = useRouter()

  useEffect(
    () =>
      session.listen((event) => {
        if (event === 'signed-in') return
        queryClient.clear()
        if (event === 'signed-out') location.replace('/logged-out')
        // Whoever it is now may not be allowed here: start at the top, in a new document.
        if (event === 'user-changed') location.replace('/')
      }),
    [],
  )

  if (!person.current) return null
  return (
    <>
      <Header user={person.current} />
      {inArea ? (
        <Outlet />
      ) : (
        <main id="page" tabIndex={-1} className={styles.page}>
          <Outlet />
        </main>
      )}
      <SignInAgain user={person.current} leave={(href) => history.push(href)} />
    </>
  )
}
