import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../api/contract'
import { type Check, CheckList } from '../../ui/check-list'
import { Panel } from '../../ui/panel'
import { accountWords, teamWords } from '../../words'
import { factorsQuery } from '../mfa/calls'
import { daysUntil } from '../mfa/days-until'
import { few } from '../mfa/few-codes'
import { waitingTeamsQuery } from '../organizations/queries'
import { sessionsQuery } from '../sessions/queries'

const words = accountWords.check

/** What protects this account. A row stands for something that its reader can see or change today. */
export function CheckUp({ me }: { me: Me }) {
  const devices = useQuery(sessionsQuery).data
  const factors = useQuery(factorsQuery).data
  const waiting = useQuery({ ...waitingTeamsQuery, enabled: !me.session.confined }).data
  const checks: Check[] = [
    me.emailVerified
      ? { state: 'good', title: words.addressGood, text: words.addressGoodText }
      : { state: 'attention', title: words.addressBad, text: words.addressBadText },
    me.hasPassword
      ? {
          state: 'good',
          title: words.passwordGood,
          text: words.passwordGoodText,
          action: <Link to="/account/security">{words.changePassword}</Link>,
        }
      : {
          state: 'open',
          title: words.passwordBad,
          text: words.passwordBadText,
          action: <Link to="/account/security">{words.setPassword}</Link>,
        },
  ]
  const toSecurity = (text: string) => <Link to="/account/security">{text}</Link>
  if (me.mfa.enabled) checks.push({ state: 'good', title: words.factorGood, text: words.factorGoodText })
  else
    checks.push({
      state: me.mfa.required ? 'attention' : 'open',
      title: words.factorBad,
      text: me.mfa.graceEndsAt ? words.factorDueText(daysUntil(me.mfa.graceEndsAt)) : words.factorBadText,
      action: toSecurity(words.addFactor),
    })
  if (factors?.enabled) {
    const left = factors.backupCodesLeft
    checks.push(
      few(left)
        ? { state: 'attention', title: words.codes(left), text: words.codesBadText, action: toSecurity(words.newCodes) }
        : { state: 'good', title: words.codes(left), text: words.codesGoodText },
    )
  }
  if (waiting?.length)
    checks.push({
      state: 'open',
      title: teamWords.waiting.check(waiting.length),
      text: teamWords.waiting.checkText,
      action: <Link to="/account/teams">{teamWords.waiting.checkAction}</Link>,
    })
  if (devices) {
    checks.push({
      state: 'good',
      title: words.devices(devices.length),
      text: words.devicesText,
      action: <Link to="/account/sessions">{words.review}</Link>,
    })
  }
  return (
    <Panel title={accountWords.checkUp} about={accountWords.checkUpAbout}>
      <CheckList checks={checks} />
    </Panel>
  )
}
