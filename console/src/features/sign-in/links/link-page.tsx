import m from '../../../messages/en/link-request.json'
import { useSearch } from '../../../navigation/router'
import { afterSignIn, signInSearch } from '../../../navigation/sign-in-search'
import { askForLink } from '../calls'
import { useFollowSignIn } from '../use-enter'
import { AskByMail } from './ask-by-mail'
import { markLinkAsked } from './link-asked'

export function LinkPage() {
  const search = useSearch(signInSearch)
  useFollowSignIn(search)
  return (
    <AskByMail
      heading={m.requestTitle()}
      lead={m.requestLead()}
      submit={m.send()}
      sent={(email) => ({ before: m.sentBefore(), email, after: m.sentLink() })}
      search={search}
      ask={async (email) => {
        await askForLink(email)
        markLinkAsked(afterSignIn(search))
      }}
    />
  )
}
