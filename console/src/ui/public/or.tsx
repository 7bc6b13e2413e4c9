import m from '../../messages/en/sign-in.json'
import parts from './parts.module.css'

/** The line between the primary action and the others. */
export function Or() {
  return (
    <div className={parts.or} aria-hidden="true">
      {m.or()}
    </div>
  )
}
