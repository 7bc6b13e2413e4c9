import type { ReactNode } from 'react'
import type { Interaction } from '../../../api/contract'
import consentMessages from '../../../messages/en/consent.json'
import m from '../../../messages/en/device.json'
import { AuthLayout } from '../../../ui/auth-layout'
import { countryName } from '../../../ui/country-name'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/notice'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { AnswerButtons } from '../consent/answer-buttons'
import { AskingApplication } from '../consent/asking-application'
import type { AnswerProps } from '../consent/consent-form'
import styles from '../consent/consent-form.module.css'
import { ScopeList } from '../consent/scope-list'
import { TakeBack } from '../consent/take-back'

interface Props extends AnswerProps {
  device: NonNullable<Interaction['device']>
  userCode: string | undefined
  below: ReactNode
}

/** Shows the permissions that a device requests, with the code, location and time that identify the request (RFC 8628, 3.3.1 and 5.4). */
export function DeviceForm({
  interaction,
  device,
  userCode,
  below,
  email,
  busy,
  problem,
  answer,
  switchAccount,
}: Props) {
  const { application, team, scopes, newScopes, scopeDetails, isAiAgent } = interaction
  return (
    <AuthLayout
      heading={m.approveTitle({ application: application.name })}
      emblem={<AskingApplication {...interaction} />}
      below={below}
    >
      <div className={stack.fields}>
        {userCode && (
          <div className={styles.sameCode}>
            <p>{m.sameCode()}</p>
            <p className={styles.userCode}>{userCode}</p>
          </div>
        )}
        <div className={styles.who}>
          <dl>
            <div>
              <dt>{m.place()}</dt>
              <dd>{place(device)}</dd>
            </div>
            <div>
              <dt>{m.requestedAt()}</dt>
              <dd>
                <RelativeTime at={device.requestedAt} />
              </dd>
            </div>
            {device.userAgent && (
              <div>
                <dt>{m.program()}</dt>
                <dd>{device.userAgent.slice(0, 120)}</dd>
              </div>
            )}
            <div>
              <dt>{m.signedInAs()}</dt>
              <dd>{email}</dd>
            </div>
          </dl>
          <button type="button" className={styles.notYou} disabled={busy !== null} onClick={switchAccount}>
            {m.notYou()}
          </button>
        </div>
        <Notice kind="warning">
          <p>{m.warning()}</p>
        </Notice>
        <div>
          <p>{m.approveLead({ application: application.name, team: team.name })}</p>
          <ScopeList scopes={scopes} newScopes={newScopes} details={scopeDetails} />
        </div>
        {isAiAgent && (
          <Notice kind="info">
            <p>{consentMessages.agentText()}</p>
          </Notice>
        )}
        <ProblemMessage problem={problem} />
        <AnswerButtons deny={m.deny()} allow={m.approve()} busy={busy} answer={answer} />
        <TakeBack />
      </div>
    </AuthLayout>
  )
}

function place({ country, ipAddress }: Props['device']): string {
  if (!ipAddress) return country ? countryName(country) : m.unknownPlace()
  return m.countryAndAddress({ country: country ? countryName(country) : m.unknownCountry(), address: ipAddress })
}
