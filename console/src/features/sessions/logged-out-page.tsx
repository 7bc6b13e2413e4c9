import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import stack from '../../design/stack.module.css'
import { signInWords as words } from '../../words'

export function LoggedOutPage() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={words.loggedOutTitle} lead={words.loggedOutLead(boot.instance.name)}>
      <div className={stack.fields}>
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/login' })}>
          {words.signInAgain}
        </Button>
        <p className={`${stack.dimmed} ${stack.small}`}>{words.loggedOutMore}</p>
      </div>
    </AuthLayout>
  )
}
