import { Link } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { linkWords, signInWords, invitationWords as words } from '../../words'

const leads: Record<string, string> = {
  missing: words.missingLead,
  invitation_withdrawn: words.withdrawnLead,
  team_suspended: words.suspendedLead,
}

/** An invitation that opens nothing, and whom to ask for another. */
export function SpentInvitation({ code }: { code: string }) {
  return (
    <AuthLayout
      heading={code === 'missing' ? linkWords.missingTitle : words.spentTitle}
      lead={leads[code] ?? words.spentLead}
      below={<Link to="/login">{signInWords.backToSignIn}</Link>}
    />
  )
}
