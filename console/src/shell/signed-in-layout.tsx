import { notifications } from '@mantine/notifications'
import { Outlet, useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../api/query-client'
import { session } from '../api/session'
import { leaveDocument } from '../api/sign-in-again'
import { useSession } from '../api/use-session'
import '../ui/document/signed-in-styles'
import { SignInAgain } from '../features/account/sessions/sign-in-again'
import m from '../messages/en/account-data.json'
import { takeCancelledDeletion } from '../navigation/cancelled-deletion'
import { Frame } from '../ui/document/frame'
import { mayLeave } from '../ui/form/unsaved'
import { Palette } from './palette'
import { preloadPages } from './preload-pages'
import { Sidebar } from './sidebar'
import { useArea } from './use-area'

/** The frame of the signed-in pages. Leaves them if another tab signs out or signs in as another user. */
export function SignedInLayout() {
  const current = useSession()
  useBlocker({ shouldBlockFn: () => !mayLeave(), enableBeforeUnload: false })
  // Still known between the end of a session and the sign-in page.
  const user = useRef(current?.user)
  if (current) user.current = current.user
  const { label, groups, team, permissions } = useArea()

  const router = useRouter()
  useEffect(() => preloadPages(router), [router])

  useEffect(
    () =>
      session.listen((event) => {
        if (event === 'signed-in') return
        queryClient.clear()
        if (event === 'signed-out') leaveDocument('/logged-out')
        // The new user may have no access to this page: start at the top, in a new document.
        if (event === 'user-changed') leaveDocument('/')
      }),
    [],
  )

  const [cancelledAtSignIn] = useState(takeCancelledDeletion)
  const deletionCancelled = cancelledAtSignIn || current?.deletionCancelled === true
  useEffect(() => {
    if (!deletionCancelled) return
    const id = 'deletion-cancelled'
    notifications.show({
      id,
      role: 'presentation',
      title: m.cancelledTitle(),
      message: m.cancelled(),
      autoClose: false,
    })
  }, [deletionCancelled])

  if (!user.current) return null
  return (
    <>
      <Frame sidebar={<Sidebar user={user.current} label={label} groups={groups} />}>
        <Outlet />
      </Frame>
      <Palette groups={groups} team={team} permissions={permissions} />
      <SignInAgain user={user.current} />
    </>
  )
}
