import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { boot } from '../../boot'
import m from '../../messages/en/account-data.json'
import { navigate, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { exactTime, layoutWords, pageWords, signOutWords as words } from '../../words'
import { takeDeletion } from './deletion-date'

interface LoggedOutSearch {
  /** the error of a party that was notified of the sign-out */
  error?: string | undefined
  requestId?: string | undefined
}

const loggedOutSearch = ({ error, requestId }: Record<string, unknown>): LoggedOutSearch => ({
  ...(error !== undefined && { error: String(error) }),
  ...(requestId !== undefined && { requestId: String(requestId) }),
})

/** The end of a sign-out. Where somebody else did not confirm theirs, it says so: the session here is over all the same. */
export function LoggedOutPage() {
  // The page on which a sign-out was confirmed shows this too, where an app took the browser's place.
  const { error, requestId } = useSearch(loggedOutSearch)
  const [deletionAt, setDeletionAt] = useState<string | null>(null)
  // Not in the first render, which is the same on the server.
  useEffect(() => setDeletionAt((before) => before ?? takeDeletion()), [])
  const cause = error ? words.cause(error) : undefined
  return (
    <AuthLayout heading={words.loggedOutTitle} lead={words.loggedOutLead(boot.instance.name)}>
      <div className={stack.fields}>
        {deletionAt && (
          <Notice kind="warning" title={m.scheduledTitle()}>
            <p>{m.scheduled({ date: exactTime(deletionAt) })}</p>
          </Notice>
        )}
        {cause && (
          <Notice kind="warning" title={cause.title}>
            <p>{cause.text}</p>
          </Notice>
        )}
        <Button fullWidth onClick={() => navigate({ to: '/login' })}>
          {words.signInAgain}
        </Button>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={layoutWords.requestIdLabel} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{pageWords.requestAbout}</p>
          </div>
        )}
        {error ? (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {pageWords.code}: <code>{error}</code>
          </p>
        ) : (
          <p className={`${stack.dimmed} ${stack.small}`}>{words.loggedOutMore}</p>
        )}
      </div>
    </AuthLayout>
  )
}
