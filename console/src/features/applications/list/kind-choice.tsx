import m from '../../../messages/en/applications.json'
import { TileChoice } from '../../../ui/form/tile-choice'
import type { IconName } from '../../../ui/icons/icon'
import { type Kind, kinds } from '../application-kind'

const icons: Record<Kind, IconName> = {
  spa: 'browser',
  web: 'server',
  native: 'phone',
  machine: 'settings',
  agent: 'agent',
  saml: 'shield',
}

/** The type of a new application. It decides most of the settings. */
export function KindChoice(chosen: { value: Kind; choose: (kind: Kind) => void }) {
  const options = kinds.map((kind) => ({
    value: kind,
    icon: icons[kind],
    name: m.kindName({ kind }),
    text: m.kindText({ kind }),
  }))
  return <TileChoice field="kind" legend={m.kind()} options={options} {...chosen} />
}
