import hidden from '../document/hidden.module.css'

/** Names the account of a password for password managers. Without it they use any text field that they find. */
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
