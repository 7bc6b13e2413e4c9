import { Button } from '@mantine/core'
import m from '../../messages/en/error-page.json'
import { AuthLayout } from '../../ui/auth-layout'

export function NotFoundPage() {
  return (
    <AuthLayout heading={m.notFoundTitle()} lead={m.notFoundLead()}>
      <Button component="a" href="/" fullWidth>
        {m.home()}
      </Button>
    </AuthLayout>
  )
}
