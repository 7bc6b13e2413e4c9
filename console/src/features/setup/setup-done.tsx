import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import m from '../../messages/en/setup.json'
import signInMessages from '../../messages/en/sign-in.json'
import { AuthLayout } from '../../ui/auth-layout'

/** Shown when the first administrator exists. */
export function SetupDone() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={m.doneTitle()} lead={m.doneLead()}>
      <Button fullWidth onClick={() => navigate({ to: '/login' })}>
        {signInMessages.submit()}
      </Button>
    </AuthLayout>
  )
}
