import type { ReactNode } from 'react'
import type { Interaction } from '../../../api/contract'
import { boot } from '../../../boot'
import consentMessages from '../../../messages/en/consent.json'
import m from '../../../messages/en/device.json'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Details } from '../../../ui/public/details'
import parts from '../../../ui/public/parts.module.css'
import { countryName } from '../../../ui/values/country-name'
import { relativeTime } from '../../../ui/values/time'
import { AnswerButtons } from '../consent/answer-buttons'
import { type AnswerProps, SignedInAs } from '../consent/consent-form'
import { RemovalHint } from '../consent/removal-hint'
import { RequestLogos } from '../consent/request-logos'
import { markedScopes, ScopeList, withoutImpliedId } from '../consent/scope-list'
import styles from './device-page.module.css'

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
  const { application, team, scopes, scopeDetails, isAiAgent } = interaction
  const values = { application: application.name, team: team.name, instance: boot.instance.name }
  return (
    <AuthLayout
      heading={m.approveTitle(values)}
      emblem={<RequestLogos application={application} />}
      lead={m.approveLead(values)}
      message={problem && <ProblemMessage problem={problem} />}
      keepsLead
      below={below}
    >
      <div className={stack.parts}>
        {userCode && (
          <div className={styles.sameCode}>
            <p>{m.sameCode()}</p>
            <p className={styles.userCode}>{userCode}</p>
          </div>
        )}
        <SignedInAs email={email} busy={busy !== null} switchAccount={switchAccount} />
        <Notice kind="warning">
          <p>{m.warning()}</p>
        </Notice>
        <Details
          details={[
            { name: m.place(), text: place(device) },
            { name: m.requestedAt(), text: relativeTime(device.requestedAt) },
            ...(device.userAgent ? [{ name: m.program(), text: device.userAgent.slice(0, 120) }] : []),
          ]}
        />
        <ScopeList
          title={consentMessages.permissions()}
          scopes={withoutImpliedId(scopes)}
          newScopes={markedScopes(interaction)}
          details={scopeDetails}
        />
        {isAiAgent && (
          <Notice kind="info" title={consentMessages.agent()}>
            <p>{consentMessages.agentText()}</p>
          </Notice>
        )}
        <AnswerButtons deny={m.deny()} allow={m.approve()} busy={busy} answer={answer} />
      </div>
      <p className={parts.note}>
        <RemovalHint />
      </p>
    </AuthLayout>
  )
}

function place({ country, ipAddress }: Props['device']): string {
  if (!ipAddress) return country ? countryName(country) : m.unknownPlace()
  return m.countryAndAddress({ country: country ? countryName(country) : m.unknownCountry(), address: ipAddress })
}
