import { getRouteApi } from '@tanstack/react-router'
import { linkWords as words } from '../../words'
import { AskByMail } from './ask-by-mail'
import { askForReset } from './calls'

export function ForgotPasswordPage() {
  const search = getRouteApi('/forgot-password').useSearch()
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
