import type { Interaction } from '../../../api/contract'
import type { Problem } from '../../../api/problem'
import { session } from '../../../api/session'
import { boot } from '../../../boot'
import m from '../../../messages/en/consent.json'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { AccountRow, SwitchAccount } from '../../../ui/public/account-row'
import parts from '../../../ui/public/parts.module.css'
import { personName } from '../../account/profile/person-name'
import { AnswerButtons } from './answer-buttons'
import { destination } from './destination'
import { RemovalHint } from './removal-hint'
import { RequestLogos } from './request-logos'
import { markedScopes, ScopeList, withoutImpliedId } from './scope-list'

export interface AnswerProps {
  interaction: Interaction
  email: string
  /** the button whose request is pending */
  busy: 'allow' | 'deny' | null
  problem: Problem | null
  answer: (consent: boolean) => void
  switchAccount: () => void
}

/** Shows the account and the requested permissions, with two buttons of equal size. */
export function ConsentForm({ interaction, email, busy, problem, answer, switchAccount }: AnswerProps) {
  const { application, team, scopes, newScopes, redirectUri, isAiAgent } = interaction
  const more = newScopes.length < scopes.length
  const values = { application: application.name, team: team.name, instance: boot.instance.name }
  return (
    <AuthLayout
      heading={m.title({ application: application.name })}
      emblem={<RequestLogos application={application} team={boot.team} />}
      lead={more ? m.leadMore(values) : m.lead(values)}
      message={problem && <ProblemMessage problem={problem} />}
      keepsLead
    >
      <div className={stack.parts}>
        <SignedInAs email={email} busy={busy !== null} switchAccount={switchAccount} />
        <ScopeList
          title={m.permissions()}
          scopes={withoutImpliedId(scopes)}
          newScopes={markedScopes(interaction)}
          details={interaction.scopeDetails}
        />
        {isAiAgent && (
          <Notice kind="info" title={m.agent()}>
            <p>{m.agentText()}</p>
          </Notice>
        )}
        <AnswerButtons deny={m.deny()} allow={m.allow()} busy={busy} answer={answer} />
      </div>
      <p className={parts.note}>
        {m.redirectsTo()} <b>{destination(redirectUri)}</b>. <RemovalHint />
      </p>
    </AuthLayout>
  )
}

interface SignedInProps {
  email: string
  busy: boolean
  switchAccount: () => void
}

/** The account that answers a request, and a button for another one. */
export function SignedInAs({ email, busy, switchAccount }: SignedInProps) {
  const user = session.view()?.user
  return (
    <AccountRow email={email} name={user && personName(user)}>
      <SwitchAccount label={m.switch()} name={m.switchName()} disabled={busy} onClick={switchAccount} />
    </AccountRow>
  )
}
