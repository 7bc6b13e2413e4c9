import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { TileChoice } from '../../../ui/form/tile-choice'
import { VendorLogo } from '../../../ui/values/vendor-logo'
import { type Vendor, vendorLogos, vendors } from '../vendors'

const options = vendors.map((vendor) => {
  const name = vendorMessages.name({ vendor })
  return {
    value: vendor,
    name,
    text: vendorMessages.description({ vendor }),
    picture: <VendorLogo logo={vendorLogos[vendor]} name={name} />,
  }
})

export function VendorChoice(chosen: { value: Vendor; choose: (vendor: Vendor) => void }) {
  return <TileChoice field="vendor" legend={m.vendorLabel()} options={options} {...chosen} />
}
