import { serviceAddress } from '../../../api/service-address'
import { CopyField } from '../../../ui/copy-field'
import { Facts } from '../../../ui/facts'
import { TileChoice } from '../../../ui/form/tile-choice'
import { More } from '../../../ui/more'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { Steps } from '../../../ui/steps'
import { scimVendorWords, scimWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useScimSearch } from './use-scim-search'
import { type ScimVendor, scimAddress, scimVendors } from './vendors'

/** Which directory it is, what it is given, and where that goes. @param folded for a team that has connected one already */
export function ConnectPanel({ folded = false }: { folded?: boolean }) {
  const { search } = useScimSearch()
  return (
    <Panel title={words.connect} about={words.connectAbout}>
      {folded ? (
        <More summary={words.connectAnother} open={search.from !== undefined}>
          <Guide />
        </More>
      ) : (
        <Guide />
      )}
    </Panel>
  )
}

const options = scimVendors.map((value) => {
  const { name, text } = scimVendorWords[value]
  return { value, name, text, icon: 'book' as const }
})

function Guide() {
  const { search, choose } = useScimSearch()
  const vendor = search.from ?? 'okta'
  return (
    <div className={stack.parts}>
      <TileChoice
        field="directory"
        legend={words.which}
        options={options}
        value={vendor}
        choose={(from) => choose({ ...search, from })}
      />
      <Values vendor={vendor} />
    </div>
  )
}

function Values({ vendor }: { vendor: ScimVendor }) {
  const { team } = useCurrentTeam()
  const { name, address, token, fields, steps, note } = scimVendorWords[vendor]
  const url = scimAddress(serviceAddress(), team.slug, vendor)
  return (
    <>
      <Facts
        facts={[
          { name: address, value: <CopyField label={address} value={url} /> },
          { name: token, value: words.tokenGoes },
          ...fields,
        ]}
      />
      <section className={stack.tight}>
        <h3 className={stack.subtitle}>{vendor === 'other' ? words.stepsOfOther : words.stepsOf(name)}</h3>
        <Steps steps={steps} />
        {note && <p className={`${stack.dimmed} ${stack.small}`}>{note}</p>}
      </section>
    </>
  )
}
