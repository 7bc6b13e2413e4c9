import type { Application } from '../../../api/contract'
import { ChoiceList } from '../../../ui/form/choice-list'
import { RowsField } from '../../../ui/form/rows-field'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { applicationWords as words } from '../../../words'

const standardScopes = ['openid', 'profile', 'email', 'offline_access']
const standardGrants = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]
const needSecret = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']

interface Props {
  application: Application
  errors: Partial<Record<string, string>>
  touch: (name: 'resources') => void
}

/** What the application may ask for, and by which flows. What it has beyond the standard stays to be chosen. */
export function PermissionsPanel({ application, errors, touch }: Props) {
  const { scopes, grantTypes, resources, isPublicClient } = application
  const all = (standard: string[], own: string[]) => [...new Set([...standard, ...own])]
  return (
    <Panel title={words.permissions}>
      <div className={`${stack.wide} ${stack.parts}`}>
        <ChoiceList
          legend={words.scopes}
          name="scopes"
          chosen={scopes}
          error={errors.scopes}
          choices={all(standardScopes, scopes).map((value) => ({ value, title: value, about: words.scope(value) }))}
        />
        <ChoiceList
          legend={words.grantTypes}
          name="grantTypes"
          chosen={grantTypes}
          error={errors.grantTypes}
          choices={all(standardGrants, grantTypes).map((value) => {
            const disabled = isPublicClient && needSecret.includes(value) && !grantTypes.includes(value)
            const { title, about } = words.grant(value)
            return { value, title, about: disabled ? words.secretNeeded : about, disabled }
          })}
        />
        <RowsField
          name="resources"
          legend={words.resources}
          optional={words.optional}
          hint={words.resourcesHint}
          rowLabel={words.resource}
          initial={resources}
          errors={errors}
          touch={touch}
          placeholder="https://"
        />
      </div>
    </Panel>
  )
}
