import { type ScimVendor, scimVendors } from './vendors'

/** What the address of the page holds: a link of it shows the same to a colleague. */
export interface ScimSearch {
  /** the directory whose steps are shown; the first one when it names none */
  from?: ScimVendor
  show?: 'refused'
}

/** Takes what it knows of a query and leaves out the rest. */
export function scimSearch({ from, show }: Record<string, unknown>): ScimSearch {
  const vendor = scimVendors.find((one) => one === from)
  return { ...(vendor && { from: vendor }), ...(show === 'refused' && { show }) }
}
