import { Link } from '../../navigation/router'
import { Notice } from '../../ui/notice'
import { signInWords as words } from '../../words'

/** On the first start: the way to /setup from pages that are open to everybody. */
export function NotSetUp() {
  return (
    <Notice kind="info">
      <p>
        {words.notSetUp} <Link to="/setup">{words.setUpNow}</Link>
      </p>
    </Notice>
  )
}
