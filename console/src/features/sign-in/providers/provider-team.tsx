import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { object } from 'valibot'
import type { DiscoveredProvider } from '../../../api/contract'
import m from '../../../messages/en/sign-in.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import styles from '../login-page.module.css'
import { ProviderList } from './provider-list'

const schema = object({ team: requiredText(m.providerTeamMissing()) })

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
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
    initial: { team: '' },
    send: async ({ team }) => {
      const providers = await toTeam(team.trim())
      setSeveral(providers.length > 1 ? providers : [])
    },
    focusOnRejection: 'team',
  })
  return (
    <>
      <form onSubmit={onSubmit} noValidate method="post" aria-label={m.providerTeamTitle()}>
        <fieldset className={styles.providers}>
          <legend className={styles.providersLegend}>{m.providerTeamTitle()}</legend>
          <ProblemMessage problem={problem} />
          <TextInput
            ref={field}
            name="team"
            label={m.team()}
            description={m.providerTeamHint()}
            {...form.getInputProps('team')}
          />
          <SubmitButton busy={busy} variant="default" mt="sm">
            {m.continueWith({ provider: m.singleSignOn() })}
          </SubmitButton>
        </fieldset>
      </form>
      {several.length > 0 && <ProviderList providers={several} choose={choose} />}
    </>
  )
}
