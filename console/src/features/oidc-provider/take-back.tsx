import stack from '../../ui/stack.module.css'
import { consentWords as words } from '../../words'

/** That nothing is for ever. Opens beside the question, which waits. */
export function TakeBack() {
  return (
    <p className={`${stack.dimmed} ${stack.small}`}>
      {words.takeBack}{' '}
      <a href="/account/apps" target="_blank" rel="noreferrer">
        {words.takeBackLink}
      </a>
    </p>
  )
}
