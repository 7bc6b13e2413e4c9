import { Badge } from '@mantine/core'
import m from '../../../messages/en/consent.json'
import scopeMessages from '../../../messages/en/scopes.json'
import { Icon } from '../../../ui/icons/icon'
import styles from './scope-list.module.css'

interface Props {
  scopes: string[]
  /** marked, if other scopes were granted before */
  newScopes?: string[]
  /** descriptions of own scopes, by the application's administrators */
  details?: { name: string; description?: string | null }[]
}

/** Lists the requested scopes: standard ones described by the console, own ones by their description or name. */
export function ScopeList({ scopes, newScopes = scopes, details = [] }: Props) {
  const marks = newScopes.length < scopes.length
  return (
    <ul className={styles.list}>
      {scopes.map((scope) => {
        const title = scopeMessages.title({ scope })
        const described = title ? '' : details.find(({ name }) => name === scope)?.description
        return (
          <li key={scope} className={styles.scope}>
            <Icon name="check" />
            <div className={styles.text}>
              <p className={styles.title}>
                {title || described || <code>{scope}</code>}
                {marks && newScopes.includes(scope) && (
                  <Badge color="yellow" leftSection={<Icon name="plus" size={14} />}>
                    {m.isNew()}
                  </Badge>
                )}
              </p>
              <p className={styles.about}>
                {scopeMessages.text({ scope }) || (described ? m.ownScopeNamed({ scope }) : m.ownScope())}
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
