/**
 * Directory simulators: `keyward simulate okta|entra|google --base URL --token TOKEN` sends to a SCIM service what the directory of that
 * vendor sends, in its order and its shapes, and says of each step whether the vendor could go on with the answer.
 *
 * For whoever sets up a directory, to see that a team's address and token work before thousands of people are sent; and for our own tests.
 * It knows nothing of the service but its address: it is a program that speaks SCIM 2.0 (RFC 7644), and could judge any other service.
 * What it makes has a random name below a domain that cannot have mail, and is deleted at the end (a SCIM DELETE: deactivated).
 */
export { simulate } from './simulate.js'
