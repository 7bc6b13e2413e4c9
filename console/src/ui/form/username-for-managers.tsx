import hidden from '../hidden.module.css'

/** Tells password managers whose password a form sets. Without it they save it under whatever text field they find. */
export function UsernameForManagers({ email }: { email: string }) {
  return (
    <input
      className={hidden.hidden}
      type="email"
      name="username"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
