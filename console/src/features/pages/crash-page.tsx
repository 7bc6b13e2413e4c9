import { Button } from '@mantine/core'
import m from '../../messages/en/start-error.json'
import { AuthLayout } from '../../ui/document/auth-layout'

/** Replaces a page that threw an error, or whose chunk belongs to an older version. */
export function CrashPage() {
  return (
    <AuthLayout heading={m.crashTitle()} lead={m.crashLead()}>
      <Button fullWidth onClick={() => location.reload()}>
        {m.reload()}
      </Button>
    </AuthLayout>
  )
}
