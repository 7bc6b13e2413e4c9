import { useEffect, useRef, useState } from 'react'
import type { DiscoveredProvider } from '../../../api/contract'
import m from '../../../messages/en/sign-in.json'
import { Field } from '../../../ui/form/field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import styles from '../login-page.module.css'
import { ProviderList } from './provider-list'

interface Props {
  /** Opens the provider of the team, or returns its providers if there are several. @throws Problem if the team has none */
  toTeam: (team: string) => Promise<DiscoveredProvider[]>
  choose: (provider: DiscoveredProvider) => void
}

/** Requests the team if several list the email domain and none has verified it. */
export function ProviderTeam({ toTeam, choose }: Props) {
  const [several, setSeveral] = useState<DiscoveredProvider[]>([])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { form, errors, problem, busy } = useForm({
    names: ['team'],
    check: ({ team }) => (team.trim() ? {} : { team: m.providerTeamMissing() }),
    send: async ({ team }) => {
      const providers = await toTeam(team.trim())
      setSeveral(providers.length > 1 ? providers : [])
    },
    focusOnRefusal: 'team',
  })
  return (
    <>
      <form {...form} method="post" aria-label={m.providerTeamTitle()}>
        <fieldset className={styles.providers}>
          <legend className={styles.providersLegend}>{m.providerTeamTitle()}</legend>
          {problem && <ProblemMessage problem={problem} />}
          <Field ref={field} name="team" label={m.team()} hint={m.providerTeamHint()} error={errors.team} />
          <SubmitButton busy={busy} variant="default" mt="sm">
            {m.continueWith({ provider: m.singleSignOn() })}
          </SubmitButton>
        </fieldset>
      </form>
      {several.length > 0 && <ProviderList providers={several} choose={choose} />}
    </>
  )
}
