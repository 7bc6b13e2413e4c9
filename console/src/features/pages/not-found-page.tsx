import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import m from '../../messages/en/error-page.json'
import { AuthLayout } from '../../ui/auth-layout'

export function NotFoundPage() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={m.notFoundTitle()} lead={m.notFoundLead()}>
      <Button fullWidth onClick={() => navigate({ to: '/' })}>
        {m.home()}
      </Button>
    </AuthLayout>
  )
}
