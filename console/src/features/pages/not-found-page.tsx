import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { AuthLayout } from '../../design/auth-layout'
import { pageWords as words } from '../../words'

export function NotFoundPage() {
  const navigate = useNavigate()
  return (
    <AuthLayout heading={words.notFoundTitle} lead={words.notFoundLead}>
      <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/' })}>
        {words.home}
      </Button>
    </AuthLayout>
  )
}
