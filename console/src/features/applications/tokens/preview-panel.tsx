import { Checkbox, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import m from '../../../messages/en/tokens.json'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { Pills } from '../../../ui/values/pills'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { previewQuery } from './calls'
import { useCurrentConfig } from './current-config'
import { PreviewTable } from './preview-table'
import { UserChoice } from './user-choice'

const places = ['idToken', 'accessToken', 'userinfo'] as const
type Place = (typeof places)[number]

const placeName = (place: Place) =>
  m.tokenName({ token: { idToken: 'ID_TOKEN', accessToken: 'ACCESS_TOKEN', userinfo: 'USERINFO' }[place] })

/** Previews the tokens of a user. Updates with every change of the settings. */
export function PreviewPanel() {
  const { me } = useCurrentTeam()
  const { at, config } = useCurrentConfig()
  const application = useCurrentApplication()
  const [userId, setUserId] = useState<string>(me.user.id)
  const [place, setPlace] = useState<Place>('idToken')
  const offered = [...new Set([...application.scopes, ...config.scopes.map(({ name }) => name)])]
  const [scopes, setScopes] = useState<string[]>(application.scopes)
  const requested = scopes.filter((scope) => offered.includes(scope))
  const preview = useQuery({
    ...previewQuery(at, { userId, scopes: requested }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={m.preview()} about={m.previewAbout()}>
      <div className={stack.fields}>
        <UserChoice value={userId} choose={setUserId} />
        <More
          summary={requested.length > 0 ? m.previewRequested({ scopes: requested.join(' ') }) : m.previewNoScopes()}
        >
          <Checkbox.Group label={m.previewScopes()} value={requested} onChange={setScopes}>
            <Stack gap="xs" mt="xs">
              {offered.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} />
              ))}
            </Stack>
          </Checkbox.Group>
        </More>
        <Pills
          legend={m.preview()}
          choices={places.map((value) => ({ value, name: placeName(value) }))}
          value={place}
          choose={setPlace}
        />
        {preview.isPending && <RowsLoading rows={4} height={40} />}
        {preview.isError && <LoadError error={preview.error} retry={() => preview.refetch()} />}
        {preview.data && (
          <div aria-busy={preview.isPlaceholderData || undefined}>
            <PreviewTable label={placeName(place)} entries={preview.data[place]} />
          </div>
        )}
      </div>
    </Panel>
  )
}
