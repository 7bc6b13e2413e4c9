import { useId } from 'react'
import { Icon, type IconName } from '../../design/icons/icon'
import { applicationWords as words } from '../../words'
import { type Kind, kinds } from './application-kind'
import styles from './kind-choice.module.css'

const icons: Record<Kind, IconName> = {
  spa: 'browser',
  web: 'server',
  native: 'phone',
  machine: 'gears',
  agent: 'agent',
}

/** The first question about a new application; the answer decides most of its settings. */
export function KindChoice({ value, choose }: { value: Kind; choose: (kind: Kind) => void }) {
  const id = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{words.kind}</legend>
      <div className={styles.tiles}>
        {kinds.map((kind) => (
          <label key={kind} className={styles.tile}>
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={kind === value}
              onChange={() => choose(kind)}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-text`}
            />
            <Icon name={icons[kind]} size={24} />
            <span>
              <span id={`${id}-${kind}`} className={styles.name}>
                {words.kinds[kind].name}
              </span>
              <span id={`${id}-${kind}-text`} className={styles.text}>
                {words.kinds[kind].text}
              </span>
            </span>
            <span className={styles.check}>
              <Icon name="done" />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
