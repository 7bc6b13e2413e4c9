import m from '../../../messages/en/link-request.json'
import { useSearch } from '../../../navigation/router'
import { signInSearch } from '../../../navigation/sign-in-search'
import { askForReset } from '../calls'
import { AskByMail } from './ask-by-mail'

export function ForgotPasswordPage() {
  const search = useSearch(signInSearch)
  return (
    <AskByMail
      heading={m.forgotTitle()}
      lead={m.forgotLead()}
      submit={m.sendReset()}
      search={search}
      sent={(email) => ({ before: m.sentBefore(), email, after: m.sentReset() })}
      ask={askForReset}
    />
  )
}
