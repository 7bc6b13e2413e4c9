import { useQuery } from '@tanstack/react-query'
import { session } from '../../../api/session'
import { useSession } from '../../../api/use-session'
import m from '../../../messages/en/sign-in.json'
import { dueAfterSignIn } from '../../../navigation/due-first'
import { safeReturn } from '../../../navigation/return-to'
import { returnToSearch } from '../../../navigation/return-to-search'
import { navigate, openPage, useSearch } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { meQuery } from '../profile/queries'
import { changePassword } from './calls'
import { PasswordForm } from './password-form'

/** Requires a new password after a sign-in with a temporary or expired one. */
export function PasswordDuePage() {
  const { returnTo } = useSearch(returnToSearch)
  const me = useQuery(meQuery)
  const email = useSession()?.user.email ?? ''
  return (
    <PasswordForm
      email={email}
      hasPassword
      policy={me.data?.passwordPolicy}
      label={m.dueTitle()}
      currentLabel={m.temporaryPassword()}
      submit={m.dueSubmit()}
      save={changePassword}
      saved={() => {
        session.passwordChanged()
        const target = safeReturn(returnTo)
        const due = dueAfterSignIn(session.view(), target)
        if (due) void navigate({ ...due, replace: true })
        else void openPage(target, { replace: true })
      }}
      frame={(parts) => <AuthLayout heading={m.dueTitle()} lead={m.dueLead()} {...parts} />}
    />
  )
}
