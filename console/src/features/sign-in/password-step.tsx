import { Checkbox } from '@mantine/core'
import m from '../../messages/en/sign-in.json'
import { Link } from '../../navigation/router'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { Field } from '../../ui/form/field'
import { PasswordField } from '../../ui/form/password-field'
import styles from './login-page.module.css'

interface Props {
  search: SignInSearch
  /** filled in by a password manager in the first step */
  password: string
  errors: { password?: string; team?: string }
  /** why the service rejected the email address or the password */
  rejection: string | undefined
  /** after every rejected password, so that it reveals nothing about the account */
  asksForTeam: boolean
  /** ID of the element that shows the errors */
  messageId: string
}

/** The fields of the second step of a sign-in. */
export function PasswordStep({ search, password, errors, rejection, asksForTeam, messageId }: Props) {
  return (
    <>
      <PasswordField
        name="password"
        autoComplete="current-password"
        autoFocus
        defaultValue={password}
        error={errors.password ?? rejection}
        errorIn={messageId}
        aside={
          <Link to="/forgot-password" search={search} className={styles.forgot}>
            {m.forgot()}
          </Link>
        }
      />
      {asksForTeam && (
        <Field
          name="team"
          label={m.team()}
          optional={m.optional()}
          hint={m.teamHint()}
          error={errors.team}
          errorIn={messageId}
        />
      )}
      <Checkbox
        name="remember"
        label={m.remember()}
        defaultChecked
        size="sm"
        iconColor="var(--mantine-primary-color-contrast)"
        classNames={{
          root: styles.remember as string,
          body: styles.rememberBody as string,
          label: styles.rememberLabel as string,
          input: styles.box as string,
        }}
      />
    </>
  )
}
