import { Badge } from '@mantine/core'
import m from '../../../messages/en/consent.json'
import scopeMessages from '../../../messages/en/scopes.json'
import { Icon, type IconName } from '../../../ui/icons/icon'
import styles from './scope-list.module.css'

const icons: Record<string, IconName> = {
  openid: 'key',
  profile: 'user',
  email: 'mail',
  phone: 'phone',
  groups: 'group',
  offline_access: 'clock',
}

interface Props {
  title?: string
  scopes: string[]
  /** marked as new */
  newScopes?: string[]
  /** descriptions of own scopes, by the application's administrators */
  details?: { name: string; description?: string | null }[]
}

/** Lists the requested scopes. Those of the application are marked, because its administrators write the descriptions. */
export function ScopeList({ title, scopes, newScopes = [], details = [] }: Props) {
  return (
    <section>
      {title && <h2 className={styles.title}>{title}</h2>}
      <ul className={styles.list}>
        {scopes.map((scope) => {
          const name = scopeMessages.title({ scope })
          const described = details.find((detail) => detail.name === scope)?.description
          return (
            <li key={scope} className={styles.scope}>
              <Icon name={icons[scope] ?? 'check'} />
              <span className={styles.name}>{name || described || <code>{scope}</code>}</span>
              {newScopes.includes(scope) && <Badge color="brand">{m.isNew()}</Badge>}
              {!name && (
                <span className={styles.about}>
                  {m.ownScope()}
                  {described && (
                    <>
                      {': '}
                      <code>{scope}</code>
                    </>
                  )}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Returns the new scopes if others were granted before. */
export const markedScopes = ({ scopes, newScopes }: { scopes: string[]; newScopes: string[] }): string[] =>
  newScopes.length < scopes.length ? newScopes : []

/** Returns the scopes without `openid` if others identify the user by name or email address. */
export const withoutImpliedId = (scopes: string[]): string[] =>
  scopes.includes('profile') || scopes.includes('email') ? scopes.filter((scope) => scope !== 'openid') : scopes
