import { TileChoice } from '../../../ui/form/tile-choice'
import { vendorWords, ssoWords as words } from '../../../words'
import { type Vendor, vendors } from '../vendors'

/** The first question about a new provider; the answer brings its vendor's words and defaults. */
export function VendorChoice(chosen: { value: Vendor; choose: (vendor: Vendor) => void }) {
  const options = vendors.map((value) => {
    const { name, text } = vendorWords[value]
    return { value, name, text, icon: 'key' as const }
  })
  return <TileChoice field="vendor" legend={words.whose} options={options} {...chosen} />
}
