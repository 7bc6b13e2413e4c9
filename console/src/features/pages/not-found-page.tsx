import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import m from '../../messages/en/start-error.json'
import { AuthLayout } from '../../ui/document/auth-layout'

export function NotFoundPage() {
  return (
    <AuthLayout heading={m.notFoundTitle()} lead={m.notFoundLead()}>
      <Button component="a" href="/" fullWidth>
        {common.home()}
      </Button>
    </AuthLayout>
  )
}
