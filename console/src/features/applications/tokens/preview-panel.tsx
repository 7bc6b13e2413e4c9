import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceList } from '../../../ui/form/choice-list'
import { filledRows } from '../../../ui/form/rows-field'
import { LoadError } from '../../../ui/load-error'
import { More } from '../../../ui/more'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { tokenWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { previewQuery } from './calls'
import { useCurrentConfig } from './current-config'
import { PersonChoice } from './person-choice'
import { PreviewTable } from './preview-table'

const places = ['idToken', 'accessToken', 'userinfo'] as const
type Place = (typeof places)[number]

const placeNames: Record<Place, string> = {
  idToken: words.previewIdToken,
  accessToken: words.previewAccessToken,
  userinfo: words.previewUserinfo,
}

/** What somebody's tokens would say now. Follows every change beside it. */
export function PreviewPanel() {
  const { me } = useCurrentTeam()
  const { at, config } = useCurrentConfig()
  const application = useCurrentApplication()
  const [userId, setUserId] = useState<string>(me.user.id)
  const [place, setPlace] = useState<Place>('idToken')
  const offered = [...new Set([...application.scopes, ...config.scopes.map(({ name }) => name)])]
  const [scopes, setScopes] = useState<string[]>(application.scopes)
  const asked = scopes.filter((scope) => offered.includes(scope))
  const preview = useQuery({
    ...previewQuery(at, { userId, scopes: asked }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={words.preview} about={words.previewAbout}>
      <div className={stack.fields}>
        <PersonChoice value={userId} choose={setUserId} />
        <More summary={words.previewAsked(asked.join(' '))}>
          <form
            onChange={(event) => setScopes(filledRows(new FormData(event.currentTarget).getAll('scopes').join('\n')))}
          >
            <ChoiceList
              legend={words.previewScopes}
              name="scopes"
              chosen={asked}
              choices={offered.map((value) => ({ value, title: value }))}
            />
          </form>
        </More>
        <Pills
          legend={words.preview}
          choices={places.map((value) => ({ value, name: placeNames[value] }))}
          value={place}
          choose={setPlace}
        />
        {preview.isPending && <RowsLoading rows={4} height={40} />}
        {preview.isError && <LoadError error={preview.error} retry={() => preview.refetch()} />}
        {preview.data && (
          <div aria-busy={preview.isPlaceholderData || undefined}>
            <PreviewTable label={placeNames[place]} entries={preview.data[place]} />
          </div>
        )}
      </div>
    </Panel>
  )
}
