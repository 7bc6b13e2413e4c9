import { useSearch } from '../../navigation/router'
import { signInSearch } from '../../navigation/sign-in-search'
import { linkWords as words } from '../../words'
import { AskByMail } from './ask-by-mail'
import { askForReset } from './calls'

export function ForgotPasswordPage() {
  const search = useSearch(signInSearch)
  return (
    <AskByMail
      heading={words.forgotTitle}
      lead={words.forgotLead}
      submit={words.forgotSubmit}
      search={search}
      sent={words.sentReset}
      ask={askForReset}
    />
  )
}
