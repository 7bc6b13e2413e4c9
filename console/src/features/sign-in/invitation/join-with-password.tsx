import { Badge } from '@mantine/core'
import '@mantine/core/styles/Badge.layer.css'
import { object } from 'valibot'
import type { Invitation, SessionAnswer } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/join-team.json'
import roleTable from '../../../messages/en/role-table.json'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { useMessageLine } from '../../../ui/form/message-line'
import { NewPasswordField, newPasswordSchema } from '../../../ui/form/new-password-field'
import { useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import { AccountRow } from '../../../ui/public/account-row'
import parts from '../../../ui/public/parts.module.css'
import { acceptInvitation } from '../calls'

interface Props {
  token: string
  invitation: Invitation
  heading: string
  lead: string
  expiry: string
  accepted: (answer: SessionAnswer) => void
  rejected: (problem: Problem) => void
  signIn: () => void
}

/** Creates an account and joins. Only the attempt shows whether the email address has an account. */
export function JoinWithPassword({ token, invitation, heading, lead, expiry, accepted, rejected, signIn }: Props) {
  const { team, email, role, passwordPolicy } = invitation
  const joining = useSchemaForm({
    schema: object({ password: newPasswordSchema(passwordPolicy) }),
    initial: { password: '' },
    send: async ({ password }) => {
      try {
        accepted(await acceptInvitation(token, password))
      } catch (thrown) {
        rejected(asProblem(thrown))
        throw thrown
      }
    },
    focusOnRejection: 'password',
  })
  const { field, message } = useMessageLine(joining)
  const retryIn = useRetryIn(joining.problem)
  return (
    <AuthLayout
      heading={heading}
      team={team}
      lead={lead}
      message={message}
      below={
        <>
          <span>{m.haveAccount()}</span>
          <button type="button" onClick={signIn}>
            {m.signIn()}
          </button>
        </>
      }
    >
      <AccountRow email={email} about={roleTable.about({ role })} badge={<Badge data-numeric>{expiry}</Badge>} />
      <form
        className={`${parts.form} ${parts.section}`}
        onSubmit={joining.onSubmit}
        noValidate
        method="post"
        aria-label={m.submit()}
      >
        <UsernameForManagers email={email} />
        <NewPasswordField {...field('password')} label={m.password()} policy={passwordPolicy} />
        <SubmitButton busy={joining.busy} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
      </form>
      <p className={parts.note}>{m.meaning()}</p>
    </AuthLayout>
  )
}
