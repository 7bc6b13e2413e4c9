import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import m from '../../messages/en/sign-in.json'
import { Link } from '../../navigation/router'
import type { SignInSearch } from '../../navigation/sign-in-search'
import type { MessageLine } from '../../ui/form/message-line'
import { PasswordField } from '../../ui/form/password-field'
import styles from './login-page.module.css'

interface Props extends Pick<MessageLine, 'field'> {
  search: SignInSearch
  /** changes when the password is emptied */
  passwordKey: string
  /** after every rejected password, so that it reveals nothing about the account */
  offersTeam: boolean
}

/** The fields of the second step of a sign-in. */
export function PasswordStep({ search, field, passwordKey, offersTeam }: Props) {
  const [hasTeam, setHasTeam] = useState(false)
  return (
    <>
      <PasswordField
        key={passwordKey}
        {...field('password')}
        autoComplete="current-password"
        autoFocus
        aside={
          <Link to="/forgot-password" search={search}>
            {m.forgot()}
          </Link>
        }
      />
      {hasTeam && <TextInput {...field('team')} label={m.team()} description={m.teamHint()} autoFocus />}
      <div className={styles.options}>
        <Checkbox
          {...field('remember', { type: 'checkbox' })}
          label={m.remember()}
          size="xs"
          iconColor="var(--mantine-primary-color-contrast)"
          classNames={{
            root: styles.remember as string,
            body: styles.rememberBody as string,
            label: styles.rememberLabel as string,
          }}
        />
        {/* In a line that exists already, so that nothing moves when it appears. */}
        {offersTeam && !hasTeam && (
          <button type="button" className={styles.action} onClick={() => setHasTeam(true)}>
            {m.teamPassword()}
          </button>
        )}
      </div>
    </>
  )
}
