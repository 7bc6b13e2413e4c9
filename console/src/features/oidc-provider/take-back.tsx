import m from '../../messages/en/consent.json'
import stack from '../../ui/stack.module.css'

/** That nothing is for ever. Opens beside the question, which waits. */
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
