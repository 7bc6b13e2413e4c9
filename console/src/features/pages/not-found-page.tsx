import { Button } from '@mantine/core'
import { AuthLayout } from '../../ui/auth-layout'
import { pageWords as words } from '../../words'

export function NotFoundPage() {
  return (
    <AuthLayout heading={words.notFoundTitle} lead={words.notFoundLead}>
      <Button component="a" href="/" fullWidth>
        {words.home}
      </Button>
    </AuthLayout>
  )
}
