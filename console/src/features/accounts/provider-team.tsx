import { useEffect, useRef, useState } from 'react'
import type { DiscoveredProvider } from '../../api/contract'
import { Field } from '../../design/form/field'
import { ProblemMessage } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { signInWords as words } from '../../words'
import { ProviderList } from './provider-list'

interface Props {
  /** leads to the provider of the team, or returns several. @throws Problem if the team has none */
  toTeam: (team: string) => Promise<DiscoveredProvider[]>
  choose: (provider: DiscoveredProvider) => void
}

/** Several teams list the domain and none has verified it, so that no list could tell them apart: the user names the team. */
export function ProviderTeam({ toTeam, choose }: Props) {
  const [several, setSeveral] = useState<DiscoveredProvider[]>([])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { form, errors, problem, busy } = useForm({
    names: ['team'],
    check: ({ team }) => (team.trim() ? {} : { team: words.providerTeamMissing }),
    send: async ({ team }) => {
      const providers = await toTeam(team.trim())
      setSeveral(providers.length > 1 ? providers : [])
    },
    focusOnRefusal: 'team',
  })
  return (
    <>
      <form {...form} method="post" aria-label={words.providerTeamTitle}>
        {problem && <ProblemMessage problem={problem} />}
        <Field ref={field} name="team" label={words.team} hint={words.providerTeamHint} error={errors.team} />
        <SubmitButton busy={busy}>{words.continueWith(words.singleSignOn)}</SubmitButton>
      </form>
      {several.length > 0 && <ProviderList providers={several} choose={choose} />}
    </>
  )
}
