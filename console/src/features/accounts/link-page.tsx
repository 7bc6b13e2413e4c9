import { getRouteApi } from '@tanstack/react-router'
import { linkWords as words } from '../../words'
import { AskByMail } from './ask-by-mail'
import { askForLink } from './calls'
import { markLinkAsked } from './link-asked'
import { useFollowSignIn } from './use-enter'

export function LinkPage() {
  const { returnTo } = getRouteApi('/login/link').useSearch()
  useFollowSignIn(returnTo)
  return (
    <AskByMail
      heading={words.askTitle}
      lead={words.askLead}
      submit={words.askSubmit}
      sent={words.sentLink}
      returnTo={returnTo}
      ask={async (email) => {
        await askForLink(email)
        markLinkAsked(returnTo)
      }}
    />
  )
}
