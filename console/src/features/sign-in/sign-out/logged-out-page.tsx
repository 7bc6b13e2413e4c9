import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { boot } from '../../../boot'
import m from '../../../messages/en/account-data.json'
import common from '../../../messages/en/common.json'
import errorPageMessages from '../../../messages/en/error-page.json'
import signOutMessages from '../../../messages/en/sign-out.json'
import { navigate, useSearch } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/auth-layout'
import { CopyField } from '../../../ui/copy-field'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { exactTime } from '../../../ui/time'
import { takeDeletion } from './deletion-date'

interface LoggedOutSearch {
  /** why another party did not confirm the sign-out */
  error?: string | undefined
  requestId?: string | undefined
}

const loggedOutSearch = ({ error, requestId }: Record<string, unknown>): LoggedOutSearch => ({
  ...(error !== undefined && { error: String(error) }),
  ...(requestId !== undefined && { requestId: String(requestId) }),
})

/** The page after a sign-out. A warning names parties that did not confirm it; the session here is revoked in any case. */
export function LoggedOutPage() {
  // Also shown by the page that confirms a sign-out, if an app has opened instead of a page.
  const { error, requestId } = useSearch(loggedOutSearch)
  const [deletionAt, setDeletionAt] = useState<string | null>(null)
  // Not in the first render, which is the same on the server.
  useEffect(() => setDeletionAt((before) => before ?? takeDeletion()), [])
  return (
    <AuthLayout
      heading={signOutMessages.loggedOutTitle()}
      lead={signOutMessages.loggedOutLead({ instance: boot.instance.name })}
    >
      <div className={stack.fields}>
        {deletionAt && (
          <Notice kind="warning" title={m.scheduledTitle()}>
            <p>{m.scheduled({ date: exactTime(deletionAt) })}</p>
          </Notice>
        )}
        {error && (
          <Notice kind="warning" title={signOutMessages.causeTitle({ code: error })}>
            <p>{signOutMessages.causeText({ code: error })}</p>
          </Notice>
        )}
        <Button fullWidth onClick={() => navigate({ to: '/login' })}>
          {signOutMessages.signInAgain()}
        </Button>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={common.requestIdLabel()} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{errorPageMessages.requestAbout()}</p>
          </div>
        )}
        {error ? (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {errorPageMessages.code()}: <code>{error}</code>
          </p>
        ) : (
          <p className={`${stack.dimmed} ${stack.small}`}>{signOutMessages.loggedOutMore()}</p>
        )}
      </div>
    </AuthLayout>
  )
}
