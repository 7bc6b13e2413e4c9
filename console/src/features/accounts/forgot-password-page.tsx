import { getRouteApi } from '@tanstack/react-router'
import m from '../../messages/en/links.json'
import { AskByMail } from './ask-by-mail'
import { askForReset } from './calls'

export function ForgotPasswordPage() {
  const search = getRouteApi('/forgot-password').useSearch()
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
