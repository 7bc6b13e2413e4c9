import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { AuthLayout } from '../../ui/auth-layout'
import { pageWords as words } from '../../words'

export function NotFoundPage() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={words.notFoundTitle} lead={words.notFoundLead}>
      <Button fullWidth onClick={() => navigate({ to: '/' })}>
        {words.home}
      </Button>
    </AuthLayout>
  )
}
