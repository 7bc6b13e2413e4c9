import { useQuery } from '@tanstack/react-query'
import { session } from '../../api/session'
import { useSession } from '../../api/use-session'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { returnToSearch } from '../../navigation/return-to-search'
import { navigate, openPage, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { signInWords as words } from '../../words'
import { meQuery } from '../identities/queries'
import { changePassword } from './calls'
import { PasswordForm } from './password-form'

/** Between signing in with a temporary or aged password and everything else. */
export function PasswordDuePage() {
  const { returnTo } = useSearch(returnToSearch)
  const me = useQuery(meQuery)
  const email = useSession()?.user.email ?? ''
  return (
    <AuthLayout heading={words.dueTitle} lead={words.dueLead}>
      <PasswordForm
        email={email}
        hasPassword
        policy={me.data?.passwordPolicy}
        label={words.dueTitle}
        currentLabel={words.temporaryPassword}
        submit={words.dueSubmit}
        save={changePassword}
        saved={() => {
          session.passwordChanged()
          const target = safeReturn(returnTo)
          const due = dueAfterSignIn(session.view(), target)
          if (due) void navigate({ ...due, replace: true })
          else void openPage(target, { replace: true })
        }}
      />
    </AuthLayout>
  )
}
