import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { session } from '../../api/session'
import { useSession } from '../../api/use-session'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { AuthLayout } from '../../ui/auth-layout'
import { signInWords as words } from '../../words'
import { meQuery } from '../identities/queries'
import { changePassword } from './calls'
import { PasswordForm } from './password-form'

/** Between signing in with a temporary or aged password and everything else. */
export function PasswordDuePage() {
  const { returnTo } = getRouteApi('/password-due').useSearch()
  const router = useRouter()
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
          if (due) router.navigate({ ...due, replace: true })
          else router.history.replace(target)
        }}
      />
    </AuthLayout>
  )
}
