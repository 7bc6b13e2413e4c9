import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { signInWords as words } from '../../words'

export function LoggedOutPage() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={words.loggedOutTitle} lead={words.loggedOutLead(boot.instance.name)}>
      <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/login' })}>
        {words.signInAgain}
      </Button>
    </AuthLayout>
  )
}
