import { Button } from '@mantine/core'
import m from '../../messages/en/start-error.json'
import { AuthLayout } from '../../ui/auth-layout'

/** In place of a page that threw: a defect of ours, or a chunk of an older version that is no longer served. */
export function CrashPage() {
  return (
    <AuthLayout heading={m.crashTitle()} lead={m.crashLead()}>
      <Button fullWidth onClick={() => location.reload()}>
        {m.reload()}
      </Button>
    </AuthLayout>
  )
}
