import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../../api/contract'
import m from '../../../messages/en/check-up.json'
import ownTeamsMessages from '../../../messages/en/own-teams.json'
import { type Check, CheckList } from '../../../ui/layout/check-list'
import { Panel } from '../../../ui/page/panel'
import { waitingTeamsQuery } from '../../organizations/queries'
import { factorsQuery } from '../security/factors/calls'
import { daysUntil } from '../security/factors/days-until'
import { few } from '../security/factors/few-codes'
import { sessionsQuery } from '../sessions/queries'

/** Lists the security settings of the account that the user can see or change now. @param compact true for one line each */
export function CheckUp({ me, compact = false }: { me: Me; compact?: boolean }) {
  const sessions = useQuery(sessionsQuery).data
  const factors = useQuery(factorsQuery).data
  const waiting = useQuery({ ...waitingTeamsQuery, enabled: !me.session.confined }).data
  const checks: Check[] = [
    me.emailVerified
      ? { state: 'good', title: m.emailVerified(), text: m.emailVerifiedText() }
      : {
          state: 'attention',
          title: m.emailUnverified(),
          text: m.emailUnverifiedText(),
          // The profile has this action in its next panel.
          action: compact && <Link to="/account">{m.verify()}</Link>,
        },
    me.hasPassword
      ? {
          state: 'good',
          title: m.passwordSet(),
          text: m.passwordSetText(),
          action: <Link to="/account/security">{m.changePassword()}</Link>,
        }
      : {
          state: 'open',
          title: m.passwordMissing(),
          text: m.passwordMissingText(),
          action: <Link to="/account/security">{m.setPassword()}</Link>,
        },
  ]
  const toSecurity = (text: string) => <Link to="/account/security">{text}</Link>
  if (me.mfa.enabled) checks.push({ state: 'good', title: m.twoStepOn(), text: m.twoStepOnText() })
  else
    checks.push({
      state: me.mfa.required ? 'attention' : 'open',
      title: m.twoStepOff(),
      text: me.mfa.graceEndsAt ? m.twoStepDue({ days: daysUntil(me.mfa.graceEndsAt) }) : m.twoStepOffText(),
      action: toSecurity(m.setUp()),
    })
  if (factors?.enabled) {
    const left = factors.backupCodesLeft
    checks.push(
      few(left)
        ? { state: 'attention', title: m.codes({ left }), text: m.codesFewText(), action: toSecurity(m.newCodes()) }
        : { state: 'good', title: m.codes({ left }), text: m.codesText() },
    )
  }
  if (waiting?.length)
    checks.push({
      state: 'open',
      title: ownTeamsMessages.waitingCount({ count: waiting.length }),
      text: ownTeamsMessages.waitingCountText(),
      action: <Link to="/account/teams">{ownTeamsMessages.reviewTeams()}</Link>,
    })
  if (sessions) {
    checks.push({
      state: 'good',
      title: m.sessions({ count: sessions.length }),
      text: m.sessionsText(),
      action: <Link to="/account/sessions">{m.review()}</Link>,
    })
  }
  return (
    <Panel title={m.title()} about={compact ? undefined : m.about()}>
      <CheckList checks={checks} compact={compact} />
    </Panel>
  )
}
