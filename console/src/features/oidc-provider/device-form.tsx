import type { ReactNode } from 'react'
import type { Interaction } from '../../api/contract'
import { AuthLayout } from '../../ui/auth-layout'
import { countryName } from '../../ui/country-name'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Notice } from '../../ui/notice'
import { RelativeTime } from '../../ui/relative-time'
import stack from '../../ui/stack.module.css'
import { consentWords, deviceWords as words } from '../../words'
import { AnswerButtons } from './answer-buttons'
import { AskingApplication } from './asking-application'
import type { AnswerProps } from './consent-form'
import styles from './consent-form.module.css'
import { ScopeList } from './scope-list'
import { TakeBack } from './take-back'

interface Props extends AnswerProps {
  device: NonNullable<Interaction['device']>
  userCode: string | undefined
  below: ReactNode
}

/**
 * What a device would get that somebody signs in to from here, with what tells whether it is theirs: its code, and where and
 * when it asked (RFC 8628, 3.3.1 and 5.4).
 */
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
      heading={words.approveTitle(application.name)}
      emblem={<AskingApplication {...interaction} />}
      below={below}
    >
      <div className={stack.fields}>
        {userCode && (
          <div className={styles.sameCode}>
            <p>{words.sameCode}</p>
            <p className={styles.userCode}>{userCode}</p>
          </div>
        )}
        <div className={styles.who}>
          <dl>
            <div>
              <dt>{words.place}</dt>
              <dd>{place(device)}</dd>
            </div>
            <div>
              <dt>{words.when}</dt>
              <dd>
                <RelativeTime at={device.requestedAt} />
              </dd>
            </div>
            {device.userAgent && (
              <div>
                <dt>{words.program}</dt>
                <dd>{device.userAgent.slice(0, 120)}</dd>
              </div>
            )}
            <div>
              <dt>{words.signedInAs}</dt>
              <dd>{email}</dd>
            </div>
          </dl>
          <button type="button" className={styles.notYou} disabled={busy !== null} onClick={switchAccount}>
            {words.notYou}
          </button>
        </div>
        <Notice kind="warning">
          <p>{words.warning}</p>
        </Notice>
        <div>
          <p>{words.approveLead(application.name, team.name)}</p>
          <ScopeList scopes={scopes} newScopes={newScopes} details={scopeDetails} />
        </div>
        {isAiAgent && (
          <Notice kind="info">
            <p>{consentWords.agentText}</p>
          </Notice>
        )}
        <ProblemMessage problem={problem} />
        <AnswerButtons deny={words.deny} allow={words.approve} busy={busy} answer={answer} />
        <TakeBack />
      </div>
    </AuthLayout>
  )
}

function place({ country, ipAddress }: Props['device']): string {
  if (!ipAddress) return country ? countryName(country) : words.unknownPlace
  return words.placeOf(country ? countryName(country) : words.unknownCountry, ipAddress)
}
