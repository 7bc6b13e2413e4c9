import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { MyApplication } from '../../../api/contract'
import m from '../../../messages/en/home.json'
import ownApplicationsMessages from '../../../messages/en/own-applications.json'
import { followable } from '../../../navigation/redirect-to'
import { ApplicationLogo } from '../../../ui/application-logo'
import { EmptyState } from '../../../ui/empty-state'
import { Field } from '../../../ui/form/field'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/stack.module.css'
import styles from './launcher.module.css'

/** Below this number, all of them are visible without a search. */
const filterFrom = 9

/** The applications of the user as tiles; those with a launch URL open on click. */
export function Launcher({ applications }: { applications: MyApplication[] }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = applications.filter(({ name, team }) => `${name}\n${team.name}`.toLowerCase().includes(wanted))
  return (
    <div className={stack.fields}>
      {applications.length >= filterFrom && (
        <div className={stack.narrow}>
          <Field
            name="find"
            label={ownApplicationsMessages.find()}
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      {shown.length === 0 && (
        <EmptyState
          icon="apps"
          text={ownApplicationsMessages.noMatch()}
          action={
            <Button variant="default" onClick={() => setText('')}>
              {ownApplicationsMessages.clearFilter()}
            </Button>
          }
        />
      )}
      <ul className={styles.tiles}>
        {shown.map((application) => (
          <Tile key={application.id} application={application} />
        ))}
      </ul>
    </div>
  )
}

function Tile({ application: { id, name, logoUrl, launchUrl, team, isAiAgent } }: { application: MyApplication }) {
  // Entered by an administrator of a team: never a URL that runs in this page.
  const href = launchUrl ? followable(launchUrl) : null
  return (
    <li className={styles.tile}>
      <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={32} />
      <div className={styles.text}>
        <p className={styles.name}>
          {href ? (
            <a className={styles.link} href={href} rel="noreferrer">
              {name}
            </a>
          ) : (
            name
          )}
          {isAiAgent && (
            <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
              {m.agent()}
            </Badge>
          )}
        </p>
        <p className={styles.team}>{team.name}</p>
        {!href && <p className={styles.team}>{m.noLaunchUrl()}</p>}
      </div>
      {href && <Icon name="right" />}
    </li>
  )
}
