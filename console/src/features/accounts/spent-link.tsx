import { Button } from '@mantine/core'
import { Link } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { linkWords, signInWords } from '../../words'

interface Props {
  title: string
  lead: string
  renew: () => void
}

/** A mailed link that opens nothing any more, with the way to a new one. */
export function SpentLink({ title, lead, renew }: Props) {
  return (
    <AuthLayout heading={title} lead={lead} below={<Link to="/login">{signInWords.backToSignIn}</Link>}>
      <Button fullWidth onClick={renew}>
        {linkWords.newLink}
      </Button>
    </AuthLayout>
  )
}
