import m from '../../messages/en/sign-in.json'
import { Link } from '../../navigation/router'
import { Notice } from '../../ui/layout/notice'

/** Links public pages to /setup before the first administrator exists. */
export function NotSetUp() {
  return (
    <Notice kind="info">
      <p>
        {m.notSetUp()} <Link to="/setup">{m.setUpNow()}</Link>
      </p>
    </Notice>
  )
}
