import { Button } from '@mantine/core'
import { navigate } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { signInWords, linkWords as words } from '../../words'

/** The instance has its administrator. */
export function SetupDone() {
  return (
    <AuthLayout heading={words.setupDoneTitle} lead={words.setupDoneLead}>
      <Button fullWidth onClick={() => navigate({ to: '/login' })}>
        {signInWords.submit}
      </Button>
    </AuthLayout>
  )
}
