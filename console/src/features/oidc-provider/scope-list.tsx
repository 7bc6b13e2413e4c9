import { Badge } from '@mantine/core'
import m from '../../messages/en/consent.json'
import scopeMessages from '../../messages/en/scopes.json'
import { Icon } from '../../ui/icons/icon'
import styles from './scope-list.module.css'

interface Props {
  scopes: string[]
  /** marked, where there are others that were allowed before */
  newScopes?: string[]
  /** what an application's administrators wrote about its own scopes */
  details?: { name: string; description?: string | null }[]
}

/** What an application asks for, in plain words: ours, else its administrators', else the scope's own name. */
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
