import { TileChoice } from '../../../ui/form/tile-choice'
import type { IconName } from '../../../ui/icons/icon'
import { applicationWords as words } from '../../../words'
import { type Kind, kinds } from '../application-kind'

const icons: Record<Kind, IconName> = {
  spa: 'browser',
  web: 'server',
  native: 'phone',
  machine: 'gears',
  agent: 'agent',
  saml: 'shield',
}

/** The first question about a new application; the answer decides most of its settings. */
export function KindChoice(chosen: { value: Kind; choose: (kind: Kind) => void }) {
  const options = kinds.map((value) => ({ value, icon: icons[value], ...words.kinds[value] }))
  return <TileChoice field="kind" legend={words.kind} options={options} {...chosen} />
}
