import m from '../../../messages/en/consent.json'
import stack from '../../../ui/stack.module.css'

/** Links to the page that removes access, in a new tab: the request stays open. */
export function TakeBack() {
  return (
    <p className={`${stack.dimmed} ${stack.small}`}>
      {m.removeAccess()}{' '}
      <a href="/account/apps" target="_blank" rel="noreferrer">
        {m.removeAccessLink()}
      </a>
    </p>
  )
}
