import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../api/contract'
import { type Check, CheckList } from '../../design/check-list'
import { Panel } from '../../design/panel'
import { accountWords } from '../../words'
import { sessionsQuery } from '../sessions/queries'

const words = accountWords.check

/** What protects this account. A row stands for something that its reader can see or change today. */
export function CheckUp({ me }: { me: Me }) {
  const devices = useQuery(sessionsQuery).data
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
  if (me.mfa.enabled) checks.push({ state: 'good', title: words.factorGood, text: words.factorGoodText })
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
