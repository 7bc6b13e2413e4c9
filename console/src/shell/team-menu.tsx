import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useSession } from '../api/use-session'
import hidden from '../design/hidden.module.css'
import { Icon } from '../design/icons/icon'
import { Monogram } from '../design/monogram'
import { teamsQuery } from '../features/organizations/queries'
import { layoutWords as words } from '../words'
import styles from './header.module.css'

/** The team of the page, and the way to the others. The URL decides which one it is, so two tabs can show two teams. */
export function TeamMenu() {
  const teams = useQuery(teamsQuery).data ?? []
  const own = useSession()?.team
  const { slug } = useParams({ strict: false })
  const navigate = useNavigate()
  const current = teams.find((team) => team.slug === slug) ?? teams.find((team) => team.id === own?.id) ?? own
  if (!current) return null
  return (
    <div className={styles.teams}>
      <Menu position="bottom-start" width={280} shadow="md">
        <Menu.Target>
          <button type="button" className={styles.trigger}>
            <Monogram of={current.name} size={26} />
            <span className={hidden.hidden}>{words.teamMenu}: </span>
            <span className={styles.triggerName}>{current.name}</span>
            <Icon name="down" size={16} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label aria-hidden="true">{words.chooseTeam}</Menu.Label>
          {teams.map((team) => (
            <Menu.Item
              key={team.id}
              leftSection={<Monogram of={team.name} size={26} />}
              rightSection={team.slug === slug ? <Icon name="check" size={18} /> : null}
              onClick={() => navigate({ to: '/t/$slug', params: { slug: team.slug } })}
            >
              {team.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="people" />} onClick={() => navigate({ to: '/account/teams' })}>
            {words.manageTeams}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
