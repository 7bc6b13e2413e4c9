import { Button } from '@mantine/core'
import { AuthLayout } from '../../ui/auth-layout'
import { pageWords as words } from '../../words'

/** In place of a page that threw: a defect of ours, or a chunk of an older version that is no longer served. */
export function CrashPage() {
  return (
    <AuthLayout heading={words.crashTitle} lead={words.crashLead}>
      <Button fullWidth onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </AuthLayout>
  )
}
