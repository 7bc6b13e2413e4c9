import { Badge } from '@mantine/core'
import { Icon } from '../../ui/icons/icon'
import { scopeWords, consentWords as words } from '../../words'
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
        const known = scopeWords(scope)
        const described = known ? null : details.find(({ name }) => name === scope)?.description
        return (
          <li key={scope} className={styles.scope}>
            <Icon name="check" />
            <div className={styles.text}>
              <p className={styles.title}>
                {known?.title ?? (described || <code>{scope}</code>)}
                {marks && newScopes.includes(scope) && (
                  <Badge color="yellow" leftSection={<Icon name="plus" size={14} />}>
                    {words.isNew}
                  </Badge>
                )}
              </p>
              <p className={styles.about}>{known?.text ?? (described ? words.ownScopeNamed(scope) : words.ownScope)}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
