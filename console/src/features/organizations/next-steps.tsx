import { Link } from '@tanstack/react-router'
import type { Me } from '../../api/contract'
import { type Check, CheckList } from '../../design/check-list'
import { Panel } from '../../design/panel'
import { teamWords } from '../../words'

const words = teamWords.steps

/** What is done and what can be done today; what cannot yet is said, not linked. */
export function NextSteps({ me }: { me: Me }) {
  const checks: Check[] = [{ state: 'good', title: words.team, text: words.teamText }]
  if (!me.emailVerified) {
    checks.push({
      state: 'attention',
      title: words.address,
      text: words.addressText,
      action: <Link to="/account">{words.addressAction}</Link>,
    })
  }
  if (!me.hasPassword) {
    checks.push({
      state: 'open',
      title: words.password,
      text: words.passwordText,
      action: <Link to="/account/security">{words.passwordAction}</Link>,
    })
  }
  checks.push({ state: 'open', title: words.later, text: words.laterText })
  return (
    <Panel title={teamWords.next} about={teamWords.nextAbout}>
      <CheckList checks={checks} />
    </Panel>
  )
}
