import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { SessionUser } from '../../../api/contract'
import { useSession } from '../../../api/use-session'
import { boot } from '../../../boot'
import m from '../../../messages/en/account-data.json'
import common from '../../../messages/en/common.json'
import signOutMessages from '../../../messages/en/sign-out.json'
import { errorSearch } from '../../../navigation/error-search'
import { navigate, useSearch } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { AccountRow } from '../../../ui/public/account-row'
import { Details } from '../../../ui/public/details'
import { errorDetails } from '../../../ui/public/error-details'
import { QuietButton } from '../../../ui/public/quiet-button'
import { exactTime } from '../../../ui/values/time'
import { personName } from '../../account/profile/person-name'
import { takeDeletion } from './deletion-date'

/** Returns the error for which another party did not confirm the sign-out. */
const loggedOutSearch = (search: Record<string, unknown>) => errorSearch(search, 'error')

/**
 * The page after a sign-out. A warning names parties that did not confirm it; the session here is revoked in any case. With a session,
 * from another tab or a later sign-in, the page says so.
 */
export function LoggedOutPage() {
  // Also shown by the page that confirms a sign-out, if an app has opened instead of a page.
  const { code, requestId } = useSearch(loggedOutSearch)
  const user = useSession()?.user
  const [deletionAt, setDeletionAt] = useState<string | null>(null)
  // Not in the first render, which is the same on the server.
  useEffect(() => setDeletionAt((before) => before ?? takeDeletion()), [])
  if (user) return <StillSignedIn user={user} />
  const isPlain = !code && !deletionAt
  const isKnown = code && signOutMessages.causeText({ code }) !== signOutMessages.causeText({ code: '' })
  const details = requestId ? errorDetails({ code: isKnown ? code : '', requestId }) : []
  return (
    <AuthLayout
      {...(isPlain && { glyph: 'check', glyphKind: 'ok' })}
      heading={signOutMessages.loggedOutTitle()}
      lead={`${signOutMessages.loggedOutLead({ instance: boot.instance.name })}${isPlain ? ` ${signOutMessages.loggedOutMore()}` : ''}`}
    >
      <div className={stack.parts}>
        {deletionAt && (
          <Notice kind="warning" title={m.scheduledTitle()}>
            <p>{m.scheduled({ date: exactTime(deletionAt) })}</p>
          </Notice>
        )}
        {code && (
          <Notice kind="warning" title={signOutMessages.causeTitle({ code })}>
            <p>{signOutMessages.causeText({ code })}</p>
          </Notice>
        )}
        {details.length > 0 && <Details details={details} />}
        <Button fullWidth onClick={() => navigate({ to: '/login' })}>
          {signOutMessages.signInAgain()}
        </Button>
      </div>
    </AuthLayout>
  )
}

function StillSignedIn({ user }: { user: SessionUser }) {
  return (
    <AuthLayout
      heading={signOutMessages.stillTitle()}
      lead={signOutMessages.stillLead({ instance: boot.instance.name })}
    >
      <div className={stack.parts}>
        <AccountRow email={user.email} name={personName(user)} />
        <Button fullWidth onClick={() => navigate({ to: '/' })}>
          {common.home()}
        </Button>
      </div>
      <QuietButton onClick={() => navigate({ to: '/logout' })}>{common.signOut()}</QuietButton>
    </AuthLayout>
  )
}
