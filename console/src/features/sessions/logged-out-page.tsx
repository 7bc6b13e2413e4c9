import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { Notice } from '../../design/notice'
import stack from '../../design/stack.module.css'
import { signInWords as words } from '../../words'

export function LoggedOutPage() {
  const navigate = useNavigate()
  // Shown by /logout too, for an app that has taken over.
  const { error } = useSearch({ strict: false })
  return (
    <AuthLayout heading={words.loggedOutTitle} lead={words.loggedOutLead(boot.instance.name)}>
      <div className={stack.fields}>
        {error !== undefined && (
          <Notice kind="warning">
            <p>{words.loggedOutIncomplete}</p>
          </Notice>
        )}
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/login' })}>
          {words.signInAgain}
        </Button>
        <p className={`${stack.dimmed} ${stack.small}`}>{words.loggedOutMore}</p>
      </div>
    </AuthLayout>
  )
}
