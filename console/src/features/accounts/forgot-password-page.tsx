import { linkWords as words } from '../../words'
import { AskByMail } from './ask-by-mail'
import { askForReset } from './calls'

export function ForgotPasswordPage() {
  return (
    <AskByMail
      heading={words.forgotTitle}
      lead={words.forgotLead}
      submit={words.forgotSubmit}
      sent={words.sentReset}
      ask={askForReset}
    />
  )
}
