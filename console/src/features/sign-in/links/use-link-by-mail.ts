import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import { navigate } from '../../../navigation/router'
import { afterSignIn, type SignInSearch } from '../../../navigation/sign-in-search'
import { wrongEmail } from '../../../ui/form/email-field'
import { askForLink } from '../calls'
import { markLinkAsked } from './link-asked'

/** Emails a sign-in link from the sign-in form; without an email address, the page for it asks for one. */
export function useLinkByMail(search: SignInSearch) {
  const [busy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  return {
    busy,
    sentTo,
    problem,
    clear() {
      setSentTo(null)
      setProblem(null)
    },
    resend: () => askForLink(sentTo ?? ''),
    async send(email: string) {
      if (wrongEmail(email)) return navigate({ to: '/login/link', search })
      setBusy(true)
      setProblem(null)
      try {
        await askForLink(email)
        markLinkAsked(afterSignIn(search))
        setSentTo(email)
      } catch (thrown) {
        setProblem(asProblem(thrown))
      } finally {
        setBusy(false)
      }
    },
  }
}
