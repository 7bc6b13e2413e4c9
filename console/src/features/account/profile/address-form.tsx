import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { check, object, pipe, string } from 'valibot'
import type { Me } from '../../../api/contract'
import m from '../../../messages/en/profile.json'
import { announce } from '../../../ui/announcer'
import { wrongEmail } from '../../../ui/form/email-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { ReauthenticateDialog } from '../security/reauthenticate-dialog'
import { useReauthentication } from '../security/use-reauthentication'
import { requestEmailChange } from './queries'

const schema = object({
  email: pipe(
    string(),
    check(
      (email) => !wrongEmail(email),
      ({ input }) => wrongEmail(input) ?? '',
    ),
  ),
})

/** Requests a change of the email address, which takes effect when the link in the mail is opened. */
export function AddressForm({ me }: { me: Me }) {
  const { guarded, dialog } = useReauthentication()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
    initial: { email: '' },
    send: async ({ email }) => {
      await guarded(() => requestEmailChange(email.trim()))
      setSentTo(email.trim())
      announce(m.linkSent({ email: email.trim() }))
    },
    done: () => form.reset(),
  })
  const retryIn = useRetryIn(problem)
  return (
    <Panel title={m.changeEmail()} about={m.changeEmailAbout()}>
      <form onSubmit={onSubmit} noValidate className={stack.narrow} aria-label={m.changeEmail()}>
        <Stack gap="sm" align="flex-start">
          {sentTo && (
            <Notice kind="success">
              <p>{m.linkSent({ email: sentTo })}</p>
            </Notice>
          )}
          <TextInput
            key={form.key('email')}
            name="email"
            w="100%"
            label={m.newEmail()}
            type="email"
            autoComplete="email"
            {...form.getInputProps('email')}
          />
          <ProblemMessage problem={problem} />
          <Button type="submit" loading={busy} disabled={retryIn > 0}>
            {m.sendLink()}
          </Button>
        </Stack>
      </form>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
