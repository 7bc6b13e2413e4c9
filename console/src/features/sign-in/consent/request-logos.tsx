import { boot } from '../../../boot'
import { Icon } from '../../../ui/icons/icon'
import { Mark } from '../../../ui/icons/mark'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import styles from './request-logos.module.css'

interface Owner {
  id: string
  name: string
  logoUrl?: string | null | undefined
}

interface Props {
  application: Owner
  /** the team of the request, if the page knows its logo */
  team?: Owner | undefined
}

/** The logos of the team, otherwise of the instance, and of the requesting application, in place of the logo of the page. */
export function RequestLogos({ application, team }: Props) {
  const owner = team?.logoUrl ? team : { id: 'instance', ...boot.instance }
  return (
    <div className={styles.pair}>
      {owner.logoUrl ? <ApplicationLogo {...owner} logoUrl={owner.logoUrl} size={28} /> : <Mark size={28} />}
      <Icon name="swap" size={14} />
      <ApplicationLogo {...application} logoUrl={application.logoUrl} size={28} />
    </div>
  )
}
