import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { boot } from '../../boot'
import m from '../../messages/en/account-data.json'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { exactTime, layoutWords, pageWords, signOutWords as words } from '../../words'
import { takeDeletion } from './deletion-date'

/** The end of a sign-out. Where somebody else did not confirm theirs, it says so: the session here is over all the same. */
export function LoggedOutPage() {
  const navigate = useNavigate()
  // The page on which a sign-out was confirmed shows this too, where an app took the browser's place.
  const { error, requestId } = useSearch({ from: '/logged-out', shouldThrow: false }) ?? {}
  const [deletionAt] = useState(takeDeletion)
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
