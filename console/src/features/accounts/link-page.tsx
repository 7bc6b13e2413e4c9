import { useSearch } from '../../navigation/router'
import { afterSignIn, signInSearch } from '../../navigation/sign-in-search'
import { linkWords as words } from '../../words'
import { AskByMail } from './ask-by-mail'
import { askForLink } from './calls'
import { markLinkAsked } from './link-asked'
import { useFollowSignIn } from './use-enter'

export function LinkPage() {
  const search = useSearch(signInSearch)
  useFollowSignIn(search)
  return (
    <AskByMail
      heading={words.askTitle}
      lead={words.askLead}
      submit={words.askSubmit}
      sent={words.sentLink}
      search={search}
      ask={async (email) => {
        await askForLink(email)
        markLinkAsked(afterSignIn(search))
      }}
    />
  )
}
