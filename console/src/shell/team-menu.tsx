import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useSession } from '../api/use-session'
import { teamsQuery } from '../features/organizations/queries'
import m from '../messages/en/navigation.json'
import hidden from '../ui/document/hidden.module.css'
import { useNavigation } from '../ui/document/navigation-context'
import { Icon } from '../ui/icons/icon'
import { Monogram } from '../ui/values/monogram'
import styles from './sidebar.module.css'

/** Shows the team of the page and switches to another. The URL decides which team it is, so two tabs can show two teams. */
export function TeamMenu() {
  const teams = useQuery(teamsQuery).data ?? []
  const own = useSession()?.team
  const { slug } = useParams({ strict: false })
  const navigate = useNavigate()
  const { close, isDrawer = false } = useNavigation() ?? {}
  const current = teams.find((team) => team.slug === slug) ?? teams.find((team) => team.id === own?.id) ?? own
  if (!current) return null
  return (
    <Menu position="bottom-start" width={248} withinPortal={!isDrawer}>
      <Menu.Target>
        <button type="button" className={styles.trigger}>
          <Monogram of={current.name} size={24} brand />
          <span className={hidden.hidden}>{m.teamMenu()}: </span>
          <span className={styles.triggerName}>{current.name}</span>
          <Icon name="selector" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label aria-hidden="true">{m.chooseTeam()}</Menu.Label>
        {teams.map((team) => (
          <Menu.Item
            key={team.id}
            leftSection={<Monogram of={team.name} size={22} />}
            rightSection={team.slug === slug ? <Icon name="check" /> : null}
            onClick={() => {
              close?.()
              navigate({ to: '/t/$slug', params: { slug: team.slug } })
            }}
          >
            {team.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="group" />}
          onClick={() => {
            close?.()
            navigate({ to: '/account/teams' })
          }}
        >
          {m.manageTeams()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
