import { Link } from '@tanstack/react-router'
import m from '../../messages/en/sign-in.json'
import { Notice } from '../../ui/notice'

/** On the first start: the way to /setup from pages that are open to everybody. */
export function NotSetUp() {
  return (
    <Notice kind="info">
      <p>
        {m.notSetUp()} <Link to="/setup">{m.setUpNow()}</Link>
      </p>
    </Notice>
  )
}
